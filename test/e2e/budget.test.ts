import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { ensureStranger } from "../engine/support/stranger.ts";
import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

const budgetOf = (page: Page): Locator => page.getByRole("slider", { name: "Budget" });

/** Presses a key until something has the focus. */
async function pressUntilFocused(page: Page, key: string, wanted: Locator): Promise<void> {
  for (let press = 0; press < 40; press += 1) {
    if (await wanted.evaluateAll((found) => found.some((element) => element === document.activeElement))) return;
    await page.keyboard.press(key);
    // A menu moves its focus in a turn of its own.
    await page.waitForTimeout(30);
  }
  await expect(wanted).toBeFocused();
}

/** Bytes before and after in "… cache 143 MB → 6.0 MB …". */
function cacheOf(line: string): { full: number; kept: number } {
  const units: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6, GB: 1e9 };
  const [, full, fullUnit, kept, keptUnit] = /cache ([\d.]+) (\w+) → ([\d.]+) (\w+)/.exec(line) ?? [];
  return { full: Number(full) * (units[fullUnit ?? ""] ?? Number.NaN), kept: Number(kept) * (units[keptUnit ?? ""] ?? Number.NaN) };
}

test("a budget is chosen by keyboard, an answer keeps so much and says so, and the full cache comes back", async ({ start, userData }) => {
  test.setTimeout(180_000);
  await writeSettings(userData);
  const path = await writeTextPdf(userData, "list.pdf", facts(60));
  const longsight = await start({ files: [path] });
  const { page } = longsight;
  const desk = new Desk(page);
  const budget = budgetOf(page);
  const policy = page.getByRole("button", { name: /^Policy: / });
  await desk.waitForDocument("list.pdf");
  await expect(budget).toHaveAttribute("aria-valuetext", "everything kept: the full cache");
  await expect(policy).toHaveCount(0);

  await pressUntilFocused(page, "F6", desk.question);
  await page.keyboard.type("What is stored in Bergen?");
  await pressUntilFocused(page, "Tab", budget);
  await page.keyboard.press("Home");
  await expect(budget).toHaveAttribute("aria-valuetext", /^32 tokens per head · \d%$/);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(budget).toHaveAttribute("aria-valuetext", /^64 tokens per head · \d%$/);
  await expect(page.getByText("Each next question fetches the document from disk.")).toBeVisible();

  await page.keyboard.press("Tab");
  await expect(page.getByRole("spinbutton", { name: "Budget in tokens per head" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(policy).toBeFocused();
  await expect(policy).toHaveText("Lookahead");
  await page.keyboard.press("Enter");
  const lookahead = page.getByRole("menuitemradio", { name: "Lookahead" });
  await expect(lookahead).toHaveAttribute("aria-checked", "true");
  await expect(lookahead).toContainText(/Here with “[^”]*SmolLM2[^”]*”, trained for [1-9][\d,]* steps\./);
  await pressUntilFocused(page, "ArrowDown", page.getByRole("menuitemradio", { name: "Random" }));
  await page.keyboard.press("Enter");
  await expect(policy).toHaveText("Random");
  await expect(policy).toBeFocused();
  await page.keyboard.press("Enter");
  await pressUntilFocused(page, "ArrowUp", lookahead);
  await page.keyboard.press("Enter");
  await expect(policy).toHaveText("Lookahead");

  await pressUntilFocused(page, "Shift+Tab", desk.question);
  await expect(desk.send).toBeEnabled({ timeout: 60_000 });
  await page.keyboard.press("Enter");
  expect(await desk.waitForAnswer()).not.toBe("");
  const line = await desk.figures();
  expect(line).toMatch(/read 1,\d{3} tokens · kept 64 per head · cache [\d.]+ MB → [\d.]+ MB · Lookahead/);
  const { full, kept } = cacheOf(line);
  expect(kept).toBeLessThan(full / 3);
  const saved = JSON.parse(await readFile(join(userData, "settings.json"), "utf8"));
  expect(saved).toMatchObject({ budget: 64, policy: "lookahead" });

  await pressUntilFocused(page, "Tab", budget);
  await page.keyboard.press("End");
  await expect(budget).toHaveAttribute("aria-valuetext", "everything kept: the full cache");
  await pressUntilFocused(page, "Shift+Tab", desk.question);
  await page.keyboard.type("And in Cork?");
  await expect(desk.send).toBeEnabled({ timeout: 60_000 });
  await page.keyboard.press("Enter");
  await expect(desk.answers).toHaveCount(2);
  await desk.waitForAnswer();
  const whole = await desk.figures();
  expect(whole).toMatch(/tokens\/s · 1,\d{3} prompt tokens · /);
  expect(whole).not.toContain("kept");
  expect(longsight.console.filter((line) => /error/i.test(line))).toEqual([]);
});

test("a model without a module keeps by SnapKV, and the menu says why Lookahead is not to be had", async ({ start, userData }) => {
  await writeSettings(userData, {}, { model: await ensureStranger(), contextLength: 4096, budget: 64 });
  const path = await writeTextPdf(userData, "list.pdf", facts(20));
  const longsight = await start({ files: [path] });
  const { page } = longsight;
  const desk = new Desk(page);
  const policy = page.getByRole("button", { name: /^Policy: / });
  await desk.waitForDocument("list.pdf");
  await expect(policy).toHaveText("SnapKV");
  await policy.click();
  // What it would have chosen with a module can be reached, read and not taken.
  const lookahead = page.getByRole("menuitemradio", { name: "Lookahead" });
  await expect(page.getByRole("menuitemradio", { name: "SnapKV" })).toHaveAttribute("aria-checked", "true");
  await pressUntilFocused(page, "ArrowUp", lookahead);
  await expect(lookahead).toHaveAttribute("aria-disabled", "true");
  await expect(lookahead).toContainText("Not available: there is no lookahead module for");
  await page.keyboard.press("Enter");
  await expect(lookahead).toBeVisible();
  await expect(policy).toHaveText("SnapKV");
  await page.keyboard.press("Escape");

  await desk.ask("What is stored in Cork?");
  expect(await desk.waitForAnswer()).not.toBe("");
  expect(await desk.figures()).toMatch(/ · kept 64 per head · .* · SnapKV/);
  expect(longsight.console.filter((line) => /error/i.test(line))).toEqual([]);
});

test("a budget too small for what is always kept is refused with the least there can be, and can be raised from there", async ({
  start,
  userData,
}) => {
  await writeSettings(userData, {}, { contextLength: 4096, budget: 32, policy: "snapkv" });
  const path = await writeTextPdf(userData, "list.pdf", facts(10));
  const { page } = await start({ files: [path] });
  const desk = new Desk(page);
  const budget = budgetOf(page);
  await desk.waitForDocument("list.pdf");
  await expect(budget).toHaveAttribute("aria-valuetext", /^32 tokens per head · /);
  await desk.ask("What is stored in Cork?");
  const refusal = desk.lastAnswer.getByRole("alert");
  await expect(refusal).toContainText(/A budget of 32 tokens is too small for this prompt: \d+ tokens are always kept/);
  await expect(refusal).toContainText(/Choose a budget of at least \d+/);
  await expect(desk.question).toHaveValue("What is stored in Cork?");

  await refusal.getByRole("button", { name: "Choose a larger budget" }).click();
  await expect(budget).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(budget).toHaveAttribute("aria-valuetext", /^64 tokens per head · /);
  await desk.send.click({ timeout: 60_000 });
  await desk.waitForAnswer();
  await expect(desk.lastAnswer.locator(".figures")).toContainText("kept 64 per head");
  await expect(refusal).toHaveCount(0);
});

test("the budget follows the mouse and is remembered when it is let go", async ({ start, userData }) => {
  await writeSettings(userData);
  const { page } = await start();
  const budget = budgetOf(page);
  await expect(budget).toBeVisible({ timeout: 60_000 });
  const thumb = await budget.boundingBox();
  if (thumb === null) throw new Error("The slider has no place.");
  const y = thumb.y + thumb.height / 2;
  await page.mouse.move(thumb.x + thumb.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(thumb.x - 60, y, { steps: 5 });
  const field = page.getByRole("spinbutton", { name: "Budget in tokens per head" });
  await expect(field).toHaveValue(/^\d+$/);
  await expect(page.getByTestId("budget")).toHaveText("tokens per head");
  await page.mouse.move(thumb.x - 400, y, { steps: 5 });
  await expect(field).toHaveValue("32");
  await page.mouse.up();
  await expect(field).toHaveValue("32");
  await expect.poll(async () => JSON.parse(await readFile(join(userData, "settings.json"), "utf8")).budget).toBe(32);
});
