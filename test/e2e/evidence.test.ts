import { seriousFaults } from "./support/axe.ts";
import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

test("the sentences that an answer looked at stand below it and lead to their page, also after a restart", async ({ start, userData }) => {
  test.setTimeout(240_000);
  await writeSettings(userData, { maxTokens: 6 }, { contextLength: 2048, budget: 96, policy: "snapkv" });
  const path = await writeTextPdf(userData, "list.pdf", facts(60));
  const longsight = await start({ files: [path] });
  const desk = new Desk(longsight.page);
  await desk.waitForDocument("list.pdf");
  await desk.ask("What is stored in Bergen?");
  await desk.waitForAnswer();

  const chips = longsight.page.getByRole("list", { name: "Looked at" }).getByRole("button");
  const count = await chips.count();
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(4);
  const names = await chips.evaluateAll((all) => all.map((chip) => chip.getAttribute("aria-label")));
  for (const name of names) expect(name).toMatch(/^p\. [12]: .*Warehouse \d+ in /);
  await chips.first().press("Enter");
  await expect(longsight.page.getByTestId("flash").first()).toBeInViewport();
  expect(await seriousFaults(longsight.page)).toEqual([]);
  await longsight.quit();

  const again = await start();
  await new Desk(again.page).waitForDocument("list.pdf");
  const kept = again.page.getByRole("list", { name: "Looked at" }).getByRole("button");
  expect(await kept.evaluateAll((all) => all.map((chip) => chip.getAttribute("aria-label")))).toEqual(names);
  await kept.last().click();
  await expect(again.page.getByTestId("flash").first()).toBeInViewport();
  expect(again.console.filter((line) => /error/i.test(line))).toEqual([]);
});

test("a selected passage is pinned by pointer or key, marked on the page, listed, told where the budget is too small, and unpinned", async ({
  start,
  userData,
}) => {
  test.setTimeout(240_000);
  await writeSettings(userData, { maxTokens: 6 }, { contextLength: 1024, budget: 64, policy: "snapkv" });
  const path = await writeTextPdf(userData, "list.pdf", facts(20));
  const { page, console: lines } = await start({ files: [path] });
  const desk = new Desk(page);
  await desk.waitForDocument("list.pdf");
  await desk.ask("What is stored in Bergen?");
  await desk.waitForAnswer();

  // By pointer: the button beside the selection.
  await page.getByRole("tab", { name: "Inspector" }).click();
  await expect(page.getByText("Nothing is pinned.")).toBeVisible();
  await page.locator(".text-layer span", { hasText: "Warehouse 3 in Davos" }).click({ clickCount: 3 });
  await page.getByRole("button", { name: "Always keep this passage" }).click();
  const pins = page.getByTestId("pins").getByRole("listitem");
  await expect(pins).toHaveCount(1);
  await expect(pins.first()).toContainText("Warehouse 3 in Davos stores 74 crates of linen.");
  await expect(page.getByTestId("pin-mark")).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Always keep this passage" })).toHaveCount(0);

  // By key, in the text: the arrows go from word to word, with Shift they select.
  await page.getByRole("button", { name: "Text", exact: true }).press("Enter");
  const text = page.getByRole("group", { name: /^Text of page 1/ });
  await expect(text).toBeVisible({ timeout: 30_000 });
  await text.focus();
  for (const key of ["ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight"]) await page.keyboard.press(key);
  const command = page.getByRole("toolbar").getByRole("button", { name: "Always keep" });
  await expect(command).toBeEnabled();
  await command.press("Enter");
  await expect(pins).toHaveCount(2);
  await expect(pins.nth(1)).toContainText("Warehouse 1 in Bergen");
  await expect(page.locator(".text-page-text .pinned").first()).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);

  // More than the budget holds: told at once, with what to do.
  await page.locator(".text-page-text").first().click({ clickCount: 3 });
  await command.click();
  await expect(page.getByText(/A budget of 64 tokens is too small/).first()).toBeVisible({ timeout: 30_000 });

  // The way to a pin, and out of the list.
  await pins.first().getByRole("button").first().press("Enter");
  await expect(page.locator(".flash").first()).toBeInViewport();
  for (let left = await pins.count(); left > 0; left -= 1) {
    await pins
      .first()
      .getByRole("button", { name: /^Unpin the passage on page 1/ })
      .press("Enter");
    await expect(pins).toHaveCount(left - 1);
  }
  await expect(page.locator(".text-page-text .pinned")).toHaveCount(0);
  expect(lines.filter((line) => /error/i.test(line))).toEqual([]);
});
