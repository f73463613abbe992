import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { seriousFaults } from "./support/axe.ts";
import { expect, type Longsight, test } from "./support/longsight.ts";

const menuLabels = ({ electronApp }: Longsight) =>
  electronApp.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? []);

test("language and text size change the window at once, menu included, and are remembered", async ({ start, userData }) => {
  const longsight = await start();
  const { page } = longsight;
  await expect(page.locator(".model-state")).toHaveText("ready", { timeout: 60_000 });
  expect(await menuLabels(longsight)).toContain("&File");
  await page.keyboard.press("Control+,");
  await page.getByRole("combobox", { name: "Language" }).selectOption("de");
  await expect(page.getByRole("dialog", { name: "Einstellungen" })).toBeVisible();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await expect.poll(() => menuLabels(longsight)).toContain("&Datei");
  await page.getByRole("combobox", { name: "Schriftgröße" }).selectOption("largest");
  await expect(page.locator("body")).toHaveCSS("font-size", "19px");
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: "Ein Dokument hier ablegen" })).toBeVisible();
  await expect(page.getByTestId("token-meter")).toContainText("8.192 Tokens");
  // Nothing runs out of the window, its smallest size included.
  await longsight.electronApp.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(900, 600));
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBeLessThanOrEqual(900);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press("Control+Shift+Comma");
  await expect(page.locator("body")).toHaveCSS("font-size", "17px");
  await expect.poll(() => readFile(join(userData, "settings.json"), "utf8")).toContain('"textSize": "large"');
  await longsight.quit();

  const again = await start();
  await expect(again.page.getByRole("heading", { name: "Ein Dokument hier ablegen" })).toBeVisible();
  await expect(again.page.locator("body")).toHaveCSS("font-size", "17px");
  expect(await menuLabels(again)).toContain("&Datei");
});

test("the settings say where the data lies, open that folder alone, and that there is no telemetry", async ({ start, userData }) => {
  const { page, electronApp } = await start();
  await electronApp.evaluate(({ shell }) => {
    Object.assign(globalThis, { opened: [] });
    Object.assign(shell, {
      openPath: async (path: string) => {
        Object.assign(globalThis, { opened: [...Reflect.get(globalThis, "opened"), path] });
        return "";
      },
    });
  });
  await page.keyboard.press("Control+,");
  const data = page.getByTestId("data");
  await expect(data).toContainText(userData);
  await expect(data).toContainText("Telemetry: none.");
  await data.getByRole("button", { name: "Open the folder" }).click();
  await expect.poll(() => electronApp.evaluate(() => Reflect.get(globalThis, "opened"))).toEqual([userData]);
  // The page cannot name another one.
  await page.evaluate(() => window.longsight.shell("openDataFolder", { path: "/etc" }));
  expect(await electronApp.evaluate(() => Reflect.get(globalThis, "opened"))).toEqual([userData, userData]);
});

test("the question's field is as tall as its text at any width of the window", async ({ start }) => {
  const { page, electronApp } = await start();
  const field = page.getByRole("textbox", { name: "Question" });
  const resize = (width: number) =>
    electronApp.evaluate(({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setSize(wanted, 700), width);
  await resize(1300);
  await field.fill("Which of the warehouses in the north stores the most crates of copper wire, and how many does it store in all?");
  const room = () => field.evaluate((element) => element.scrollHeight - element.clientHeight);
  const height = () => field.evaluate((element) => element.clientHeight);
  const wide = await height();
  // Not so narrow that the library folds away, which draws the panes anew.
  await resize(1110);
  await expect.poll(height).toBeGreaterThan(wide);
  expect(await room()).toBe(0);
  await resize(1300);
  await expect.poll(height).toBe(wide);
});

test("the sheet of keys opens by its own key and names those for heat, versions and finding", async ({ start }) => {
  const { page } = await start();
  await expect(page.getByRole("heading", { name: "Drop a document here" })).toBeVisible();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const words of ["Next place found", "Export the conversation", "Bring back", "version of a question", "with heat", "Larger text"]) {
    await expect(sheet).toContainText(words);
  }
  expect(await seriousFaults(page)).toEqual([]);
});
