import type { Page } from "@playwright/test";

/**
 * Drops files of the disk onto an element, as the desktop would: the browser process makes the drag from their paths, so the
 * page gets real files with real paths and not objects that a test made up.
 */
export async function dropFiles(page: Page, selector: string, paths: readonly string[]): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not to be seen.`);
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) await session.send("Input.dispatchDragEvent", { type, ...at, data });
  await session.detach();
}
