import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

test.setTimeout(300_000);

test("an answer is compared with the full cache's, side by side, and the conversation stays as it is", async ({ start, userData }) => {
  await writeSettings(userData, { maxTokens: 24 }, { contextLength: 4096, budget: 96 });
  const path = await writeTextPdf(userData, "list.pdf", facts(40));
  const { page } = await start({ files: [path] });
  const desk = new Desk(page);
  await desk.waitForDocument("list.pdf");
  await desk.ask("What is stored in Bergen? Name all of it.");
  const answer = await desk.waitForAnswer();

  await page.getByRole("button", { name: "Compare with the full cache" }).click();
  const dialog = page.getByTestId("compare");
  await expect(dialog.getByRole("combobox", { name: "Budget" })).toHaveValue("96");
  await dialog.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByTestId("compare-sum")).toContainText("Reading and scoring took", { timeout: 120_000 });
  const sides = dialog.locator(".compare-side");
  await expect(sides).toHaveCount(2);
  await expect(sides.first()).toContainText("Full cache");
  await expect(sides.last()).toContainText("96 kept per head");
  const bytes = async (index: number) => {
    const words = await sides.nth(index).locator("dd").first().textContent();
    return Number.parseFloat((words ?? "").replace(/[^\d.]/g, ""));
  };
  expect(await bytes(0)).toBeGreaterThan(await bytes(1));
  const kept = ((await sides.last().locator(".compare-text").textContent()) ?? "").trim();
  expect(kept.length).toBeGreaterThan(0);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(desk.answers).toHaveCount(1);
  expect(await desk.answerText()).toBe(answer);
});
