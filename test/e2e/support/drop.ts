import type { Page } from "@playwright/test";

/** The middle of the first element that fits a selector, in CSS pixels of the page. */
async function middle(page: Page, selector: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not to be seen.`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * Drops files of the disk onto an element, as the desktop would: the browser process makes the drag from their paths, so the
 * page gets real files with real paths and not objects that a test made up. Until it is let go, the pointer is over `before`.
 */
export async function dropFiles(page: Page, selector: string, paths: readonly string[], before: string = selector): Promise<void> {
  const [first, last] = [await middle(page, before), await middle(page, selector)];
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  await session.send("Input.dispatchDragEvent", { type: "dragEnter", ...first, data });
  await session.send("Input.dispatchDragEvent", { type: "dragOver", ...first, data });
  await session.send("Input.dispatchDragEvent", { type: "drop", ...last, data });
  await session.detach();
}
