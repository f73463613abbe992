import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

// Each reads and asks several times.
test.setTimeout(300_000);

test("words are found in the document by keys, marked on its page and gone through", async ({ start, userData }) => {
  await writeSettings(userData, { maxTokens: 8 });
  const path = await writeTextPdf(userData, "list.pdf", facts(100));
  const { page } = await start({ files: [path] });
  const desk = new Desk(page);
  await desk.waitForDocument("list.pdf");
  await page.keyboard.press("Control+f");
  await expect(page.getByRole("textbox", { name: "Find in this document" })).toBeFocused();
  await page.keyboard.type("evora  STORES");
  await expect(page.getByTestId("find-words")).toHaveText(/^1 of 10 · p\. 1$/, { timeout: 20_000 });
  const current = page.locator('[data-testid="find-mark"][data-current="true"]').first();
  await expect(current).toBeInViewport();
  for (let step = 0; step < 9; step += 1) await page.keyboard.press("Enter");
  await expect(page.getByTestId("find-words")).toHaveText(/^10 of 10 · p\. 3$/);
  await expect(current).toBeInViewport();
  await page.getByRole("button", { name: "Text", exact: true }).click();
  await expect(page.locator("mark").first()).toHaveText(/Évora\s+stores/);
  await page.getByRole("textbox", { name: "Find in this document" }).focus();
  await page.keyboard.press("Escape");
  await expect(page.locator("mark")).toHaveCount(0);
});

test("a conversation is found by words of it, deleted, and brought back by a key as it was", async ({ start, userData }) => {
  await writeSettings(userData, { maxTokens: 12 });
  const path = await writeTextPdf(userData, "list.pdf", facts(5));
  const { page } = await start({ files: [path] });
  const desk = new Desk(page);
  await desk.waitForDocument("list.pdf");
  await desk.ask("What does the Größentabelle say of Bergen?");
  const answer = await desk.waitForAnswer();
  await page.getByRole("button", { name: "New conversation" }).first().click();
  await desk.ask("And what of Cork?");
  await desk.waitForAnswer();

  await page.keyboard.press("Control+Shift+F");
  await expect(page.getByRole("textbox", { name: "Search conversations" })).toBeFocused();
  await page.keyboard.type("größentab");
  const hits = page.getByRole("list", { name: "Found in conversations" });
  await expect(hits.getByRole("button")).toHaveCount(1, { timeout: 20_000 });
  await page.keyboard.press("Enter");
  await expect(desk.lastAnswer).toContainText(answer.slice(0, 10));
  await page.getByRole("button", { name: "End the search" }).click();

  const row = page.getByRole("button", { name: /^What does the Größentabelle/ });
  await row.focus();
  await page.keyboard.press("Delete");
  await expect(page.getByTestId("undo-deletion")).toContainText("was deleted");
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: /^And what of Cork/ }).focus();
  await page.keyboard.press("Control+z");
  await expect(row).toBeVisible();
  await expect(desk.lastAnswer).toContainText(answer.slice(0, 10));

  await row.focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("Tables");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Tables/ })).toBeVisible();
});
