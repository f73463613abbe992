import { seriousFaults } from "./support/axe.ts";
import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

test("the budget is typed, stepped and refused with words; its bytes and all memory are measured", async ({ start, userData }) => {
  test.setTimeout(240_000);
  await writeSettings(userData, { maxTokens: 256, stop: ["."] }, { contextLength: 2048, budget: 96, policy: "snapkv" });
  const path = await writeTextPdf(userData, "list.pdf", facts(60));
  const { page, console: lines } = await start({ files: [path] });
  const desk = new Desk(page);
  await desk.waitForDocument("list.pdf");

  const field = page.getByRole("spinbutton", { name: "Budget in tokens per head" });
  await expect(field).toHaveValue("96");
  await field.fill("47");
  await field.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "SnapKV needs at least 48 tokens per head" })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await field.fill("lots");
  await field.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "Type a number of tokens, or “all”." })).toBeVisible();
  await field.press("Escape");
  await expect(field).toHaveValue("96");
  await field.press("ArrowUp");
  await expect(field).toHaveValue("128");
  await field.press("ArrowDown");
  await field.fill("112");
  await field.press("Enter");
  await expect(page.getByTestId("budget")).toHaveText(/^tokens per head · \d+%$/);

  // The size of the last answer's cache counts down to what is kept.
  await page.evaluate(() => {
    const seen: string[] = [];
    Reflect.set(window, "seenSizes", seen);
    new MutationObserver(() => {
      const words = document.querySelector(".status-shrunk")?.textContent;
      if (words !== undefined && words !== seen.at(-1)) seen.push(words);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const seen = (): Promise<string[]> => page.evaluate(() => Reflect.get(window, "seenSizes"));
  await desk.ask("What is stored in Bergen?");
  await desk.waitForAnswer();
  await expect.poll(async () => (await seen()).length).toBeGreaterThan(5);

  // No motion for those who want none.
  await page.emulateMedia({ reducedMotion: "reduce" });
  const before = (await seen()).length;
  await page.waitForTimeout(1600);
  const counted = (await seen()).length;
  await desk.ask("What is stored in Cork?");
  await desk.waitForAnswer();
  await page.waitForTimeout(500);
  expect((await seen()).length - counted).toBeLessThan(5);
  expect(counted).toBeGreaterThanOrEqual(before);

  // Bytes of this budget: measured with the answer; of one that was never kept, nobody knows them.
  const bytes = page.getByTestId("budget-bytes");
  await expect(bytes).toHaveText(/^[\d.]+\s(MB|kB)$/, { timeout: 30_000 });
  await field.fill("131");
  await field.press("Enter");
  await expect(bytes).toHaveText("not measured yet");

  await page.getByRole("button", { name: "Memory", exact: true }).press("Enter");
  const memory = page.getByTestId("memory");
  await expect(memory.locator('[data-part="weights"]')).toContainText(/1[34]\d\sMB/);
  await expect(memory.locator('[data-part="machine"]')).toContainText(/ free of /);
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(memory).toHaveCount(0);

  // Everything, by its word.
  await field.fill("all");
  await field.press("Enter");
  await expect(page.getByTestId("budget")).toHaveText("everything kept");
  expect(lines.filter((line) => /error/i.test(line))).toEqual([]);
});
