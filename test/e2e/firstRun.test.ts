import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { seriousFaults } from "./support/axe.ts";
import { Desk } from "./support/desk.ts";
import { expect, test } from "./support/longsight.ts";

test("a first start shows a tour that works by keyboard, can be skipped and is not shown again", async ({ start, userData }) => {
  const file = join(userData, "settings.json");
  await rm(file);
  const first = await start();
  const tour = first.page.getByTestId("tour");
  await expect(tour).toBeVisible();
  await expect(tour).toBeFocused();
  await expect(tour).toContainText("A document is read whole");
  // Beside what it is about, which it does not cover.
  const [hint, about] = await Promise.all([tour.boundingBox(), first.page.locator(".empty-drop").boundingBox()]);
  if (hint === null || about === null) throw new Error("There is nothing to measure.");
  expect(hint.x + hint.width <= about.x || hint.x >= about.x + about.width).toBe(true);
  expect(Math.abs(hint.y + hint.height / 2 - (about.y + about.height / 2))).toBeLessThan(20);
  expect(await seriousFaults(first.page)).toEqual([]);
  for (const title of ["Ask in your own words", "The budget is yours", "See what the model holds"]) {
    await tour.getByRole("button", { name: "Next" }).press("Enter");
    await expect(tour).toContainText(title);
  }
  await tour.getByRole("button", { name: "Back" }).click();
  await expect(tour).toContainText("3 of 4");
  // It is never in the way: what is typed beside it arrives, and keys of the window go on working.
  const desk = new Desk(first.page);
  await desk.question.fill("What is this?");
  await expect(tour).toBeVisible();
  await first.page.keyboard.press("Control+,");
  await expect(first.page.getByRole("dialog", { name: "Settings" })).toBeVisible();
  await first.page.keyboard.press("Escape");
  await expect(tour).toBeVisible();
  await first.page.keyboard.press("Escape");
  await expect(tour).toHaveCount(0);
  await expect.poll(() => readFile(file, "utf8").catch(() => "")).toContain('"tourSeen": true');
  await first.quit();

  const { page } = await start();
  await expect(page.getByRole("heading", { name: "Drop a document here" })).toBeVisible();
  await expect(page.getByTestId("tour")).toHaveCount(0);
  await page.getByRole("button", { name: "Settings and help" }).click();
  await page.getByRole("menuitem", { name: "Short tour" }).click();
  await expect(page.getByTestId("tour")).toContainText("1 of 4");
});

test("one click on an empty desk asks the sample document", async ({ start }) => {
  const { page } = await start();
  const desk = new Desk(page);
  await expect(page.locator(".model-state")).toHaveText("ready", { timeout: 60_000 });
  const suggestions = page.getByTestId("suggestions");
  await expect(suggestions.getByRole("button")).toHaveCount(3);
  await suggestions.getByRole("button", { name: "How long does the warranty last?" }).click();
  await expect(desk.document("longsight-sample.pdf")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("article", { name: "Question and answer" })).toContainText("How long does the warranty last?", {
    timeout: 60_000,
  });
  await expect(desk.question).toHaveValue("");
  await desk.waitForAnswer();
});
