import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { seriousFaults } from "./support/seriousFaults.ts";
import { writeSettings } from "./support/settings.ts";

for (const theme of ["light", "dark"] as const) {
  test(`the main screens have no serious fault (${theme})`, async ({ start, userData }) => {
    await writeSettings(userData, { maxTokens: 16 }, { contextLength: 2048, theme, budget: 64, policy: "snapkv" });
    const long = await writeTextPdf(userData, "long.pdf", facts(150));
    const longsight = await start();
    const { page } = longsight;
    const desk = new Desk(page);
    await expect(page.getByRole("heading", { name: "Drop a document here" })).toBeVisible();
    expect(await seriousFaults(page)).toEqual([]);

    const { dropFiles } = await import("./support/drop.ts");
    const short = await writeTextPdf(userData, "short.pdf", facts(14));
    await dropFiles(page, '[data-testid="drop-area"]', [short]);
    await desk.waitForDocument("short.pdf");
    await desk.ask("What is this about?");
    await desk.waitForAnswer();
    await expect(desk.lastAnswer).toContainText("kept 64 per head");
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Policy: SnapKV" }).click();
    await expect(page.getByRole("menuitemradio", { name: "Lookahead" })).toBeVisible();
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Mode: For each question" }).click();
    await page.getByRole("menuitemradio", { name: "Once for the documents" }).click();
    await page.getByRole("button", { name: "Policy: SnapKV" }).click();
    await expect(page.getByRole("menuitemradio", { name: "PyramidKV" })).toContainText("Only in the mode");
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+,");
    await expect(page.getByTestId("snapshots")).toContainText("from 1 document");
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByTestId("snapshots").getByRole("button", { name: "Clear…" }).click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("alertdialog")).toHaveCount(0);
    await page.keyboard.press("Escape");

    await dropFiles(page, '[data-testid="drop-area"]', [long]);
    await expect(desk.meter).toHaveAttribute("data-fits", "false", { timeout: 30_000 });
    // What does not fit asks by itself what to do.
    await expect(page.getByTestId("fit-dialog")).toContainText("A budget does not help here");
    expect(await seriousFaults(page)).toEqual([]);
  });
}

test("the whole path works by keyboard alone", async ({ start, userData }) => {
  await writeSettings(userData, { maxTokens: 200 });
  const path = await writeTextPdf(userData, "list.pdf", facts(5));
  const { page, electronApp } = await start();
  const desk = new Desk(page);
  await electronApp.evaluate(({ dialog }, chosen) => {
    Object.assign(dialog, { showOpenDialog: async () => ({ canceled: false, filePaths: [chosen] }) });
  }, path);
  await page.keyboard.press("Control+o");
  await desk.waitForDocument("list.pdf");

  for (let step = 0; step < 4 && !(await desk.question.evaluate((element) => element === document.activeElement)); step += 1) {
    await page.keyboard.press("F6");
  }
  await expect(desk.question).toBeFocused();
  await page.keyboard.type("Write a long story");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("about Bergen.");
  await expect(desk.question).toHaveValue("Write a long story\nabout Bergen.");
  await expect(desk.send).toBeEnabled({ timeout: 60_000 });
  await page.keyboard.press("Enter");
  await desk.waitForWords();
  await page.keyboard.press("Escape");
  await expect(desk.lastAnswer).toHaveAttribute("data-status", "stopped", { timeout: 3000 });

  // Everything that a mouse reaches, Tab reaches, and one sees where one is.
  const reached = new Set<string>();
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      const { outlineStyle, boxShadow } = getComputedStyle(element);
      const name = element.getAttribute("aria-label") ?? element.textContent?.trim() ?? element.tagName;
      return { name, seen: outlineStyle !== "none" || boxShadow !== "none" || element.matches("textarea, input") };
    });
    if (found) reached.add(found.seen ? found.name : `${found.name} (no ring)`);
  }
  const names = [...reached];
  expect(names.filter((name) => name.endsWith("(no ring)"))).toEqual([]);
  for (const wanted of ["Answer again", "New conversation", "Open documents", "Settings and help"]) expect(names).toContain(wanted);
});

test("a shortcut that page and menu both know does its work once", async ({ start, userData }) => {
  await writeSettings(userData);
  const { electronApp, page } = await start();
  await expect(page.getByRole("heading", { name: "Drop a document here" })).toBeVisible();
  await electronApp.evaluate(({ BrowserWindow, dialog }) => {
    Object.assign(globalThis, { asked: 0 });
    Object.assign(dialog, {
      showOpenDialog: async () => {
        Object.assign(globalThis, { asked: Number(Reflect.get(globalThis, "asked")) + 1 });
        return { canceled: true, filePaths: [] };
      },
    });
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    contents?.focus();
    for (const type of ["keyDown", "keyUp"] as const) contents?.sendInputEvent({ type, keyCode: "O", modifiers: ["control"] });
  });
  await page.waitForTimeout(1500);
  expect(await electronApp.evaluate(() => Reflect.get(globalThis, "asked"))).toBe(1);
});
