// Documents as a person opens and closes them in the window.
import { basename } from "node:path";

/** Drops a file on the window, as the desktop would. */
async function dropFile(page, path) {
  const box = await page.getByTestId("drop-area").boundingBox();
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, ...at, data });
  await session.detach();
}

/** Opens a document, waits until its first page is drawn, and closes it. @returns whether it could be opened */
export async function openAndClose(page, path) {
  await dropFile(page, path);
  const chip = page.getByRole("button", { name: `Take ${basename(path)} out of this conversation` });
  // One that does not fit asks what to do, and behind that question nothing has a role.
  const joined = chip.or(page.getByRole("dialog")).first();
  const drawn = page.locator('[data-testid="page-canvas"]:not([data-state="waiting"])').first();
  const refused = page.locator('.openings [data-testid="document-notice"], .openings [data-testid="password-input"]').first();
  const isOpen = await Promise.race([
    Promise.all([joined.waitFor({ timeout: 180_000 }), drawn.waitFor({ timeout: 180_000, state: "attached" })]).then(() => true),
    refused.waitFor({ timeout: 180_000 }).then(() => false),
  ]);
  if (isOpen) {
    // Its text, its thumbnail and the count of its tokens come after its picture. One that does not fit asks what to do.
    await page.waitForTimeout(500);
    const counted = page.locator('[data-testid="token-meter"][data-fits]').first();
    const textless = page.getByText(/no text/i).first();
    await Promise.race([counted, textless].map((one) => one.waitFor({ timeout: 180_000 })));
    const dialog = page.getByRole("dialog");
    if ((await counted.count()) > 0 && (await counted.getAttribute("data-fits")) === "false") await dialog.waitFor({ timeout: 10_000 });
    if (await dialog.isVisible()) await page.keyboard.press("Escape");
  }
  if (isOpen) await chip.click();
  else
    await page
      .locator(".openings")
      .getByRole("button", { name: /^(Dismiss|Cancel)$/ })
      .first()
      .click();
  await page.getByRole("list", { name: "Documents in this conversation" }).waitFor({ state: "detached", timeout: 30_000 });
  return isOpen;
}
