import { copyFile, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ensureModel } from "../../scripts/model.mjs";
import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

/** Chooses in a menu of the budget's row by keyboard, from its button. */
async function choose(page: Page, menu: "Mode" | "Policy" | "Share", name: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^${menu}: `) }).press("Enter");
  const wanted = page.getByRole("menuitemradio", { name });
  await expect(wanted).toBeVisible();
  for (let press = 0; press < 20; press += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("ArrowDown");
    // A menu moves its focus in a turn of its own.
    await page.waitForTimeout(30);
  }
  await expect(wanted).toBeFocused();
  await page.keyboard.press("Enter");
}

test("kept once for the documents, a second question goes on from there; another budget starts over and says so", async ({
  start,
  userData,
}) => {
  test.setTimeout(240_000);
  await writeSettings(userData, { maxTokens: 6 }, { contextLength: 1024, budget: 96, policy: "snapkv" });
  const path = await writeTextPdf(userData, "list.pdf", facts(14));
  const longsight = await start({ files: [path] });
  const { page } = longsight;
  const desk = new Desk(page);
  await desk.waitForDocument("list.pdf");
  await choose(page, "Mode", "Once for the documents");
  await expect(page.getByRole("button", { name: "Mode: Once for the documents" })).toBeFocused();
  await expect(page.getByText("the next question")).toHaveCount(0);

  // What cannot be had in this mode can be read, and not taken.
  await page.getByRole("button", { name: "Policy: SnapKV" }).click();
  const pyramid = page.getByRole("menuitemradio", { name: "PyramidKV" });
  await expect(pyramid).toHaveAttribute("aria-disabled", "true");
  await expect(pyramid).toContainText("Only in the mode “For each question”: it needs the whole prompt at once.");
  await pyramid.click({ force: true });
  await expect(pyramid).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Policy: SnapKV" })).toBeVisible();

  await desk.ask("What is stored in Bergen?");
  await desk.waitForAnswer();
  expect(await desk.figures()).toContain("· SnapKV · chosen for the documents alone · evicted once while reading ·");
  await desk.ask("And in Cork?");
  await expect(desk.answers).toHaveCount(2);
  await desk.waitForAnswer();
  const second = await desk.figures();
  expect(second).toContain("chosen for the documents alone");
  expect(second).not.toMatch(/evicted|again/);
  await expect(page.getByTestId("answer-notice")).toHaveCount(0);

  await page.getByRole("slider", { name: "Budget" }).press("ArrowRight");
  await desk.ask("And in Davos?");
  await expect(desk.answers).toHaveCount(3);
  await desk.waitForAnswer();
  const notice = "What is kept of the documents was chosen anew: the policy or the budget changed.";
  await expect(desk.lastAnswer.getByTestId("answer-notice")).toHaveText(notice);
  const saved = JSON.parse(await readFile(join(userData, "settings.json"), "utf8"));
  expect(saved).toMatchObject({ mode: "once", budget: 128 });
  expect(longsight.console.filter((line) => /error/i.test(line))).toEqual([]);
});

test("in windows, a text is read without a full cache, and the line says how often it was cut down", async ({ start, userData }) => {
  test.setTimeout(240_000);
  await writeSettings(userData, { maxTokens: 6 }, { contextLength: 1024, budget: 64, policy: "snapkv", mode: "streaming" });
  const path = await writeTextPdf(userData, "list.pdf", facts(36));
  const { page } = await start({ files: [path] });
  const desk = new Desk(page);
  await desk.waitForDocument("list.pdf");
  await expect(page.getByRole("button", { name: "Mode: In windows" })).toHaveText("in windows");
  await desk.ask("What is stored in Bergen?");
  await desk.waitForAnswer();
  const line = await desk.figures();
  expect(line).toMatch(
    /read [67]\d\d tokens · kept 64 per head · cache [\d.]+ MB · SnapKV · chosen for this question · evicted \d+ times while/,
  );
  await expect(page.getByText("Each question reads the document from the beginning.")).toBeAttached();
});

test("several documents share a budget as chosen, and each says what is kept of it", async ({ start, userData }) => {
  test.setTimeout(240_000);
  await writeSettings(userData, { maxTokens: 6 }, { contextLength: 1024, budget: 96, policy: "streamingllm" });
  const long = await writeTextPdf(userData, "long.pdf", facts(16));
  const short = await writeTextPdf(userData, "short.pdf", facts(8));
  const { page } = await start({ files: [long] });
  const desk = new Desk(page);
  await desk.waitForDocument("long.pdf");
  // One document has nobody to share with.
  await expect(page.getByRole("button", { name: /^Mode: / })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Share: / })).toHaveCount(0);
  const { dropFiles } = await import("./support/drop.ts");
  await dropFiles(page, '[data-testid="drop-area"]', [short]);
  await desk.waitForDocument("short.pdf");
  await choose(page, "Share", "Evenly");
  await desk.ask("What is stored in Bergen?");
  await desk.waitForAnswer();
  const library = page.getByRole("navigation", { name: "Library" });
  const keptOf = async (name: string): Promise<number> => {
    const words = await library.getByRole("button", { name: new RegExp(`^${name}`) }).textContent();
    return Number(/kept\s(\d+)\sper\shead/.exec(words ?? "")?.[1]);
  };
  // What is chosen of documents is divided in two, whatever their length and place.
  expect(Math.abs((await keptOf("long.pdf")) - (await keptOf("short.pdf")))).toBeLessThanOrEqual(8);

  await choose(page, "Mode", "Once for the documents");
  await page.getByRole("button", { name: "Share: By score" }).click();
  const even = page.getByRole("menuitemradio", { name: "Evenly" });
  await expect(even).toHaveAttribute("aria-disabled", "true");
  await expect(even).toContainText("Only in the mode “For each question”.");
});

test("a smaller model drafts for SpecKV where there is one; else its reason is told", async ({ start, userData }) => {
  test.setTimeout(240_000);
  // The embedded model with some bytes behind its end: another one, and larger.
  const model = join(userData, "larger.gguf");
  const embedded = await ensureModel();
  await copyFile(embedded, model);
  await truncate(model, (await readFile(embedded)).byteLength + 4096);
  await writeSettings(userData, { maxTokens: 4 }, { model, contextLength: 1024, budget: 64, policy: "snapkv" });
  const path = await writeTextPdf(userData, "list.pdf", facts(8));
  const { page } = await start({ files: [path] });
  const desk = new Desk(page);
  await desk.waitForDocument("list.pdf");
  await choose(page, "Policy", "SpecKV with SmolLM2 135M Instruct");
  await expect(page.getByRole("button", { name: "Policy: SpecKV" })).toBeVisible();
  await page.getByRole("button", { name: /^Mode: / }).click();
  await expect(page.getByRole("menuitemradio", { name: "In windows" })).toContainText(
    "Not with SpecKV, which needs the whole prompt at once.",
  );
  await page.keyboard.press("Escape");
  await desk.ask("What is stored in Cork?");
  await desk.waitForAnswer();
  expect(await desk.figures()).toContain("· SpecKV ·");

  // With the smallest model there is nothing smaller: LAQ drafts with the model itself.
  await page
    .getByRole("banner")
    .getByRole("button", { name: /^Smollm2/ })
    .click();
  await page.getByRole("radio", { name: /^SmolLM2 135M Instruct/ }).check();
  await page.getByRole("button", { name: "Load", exact: true }).click();
  await expect(page.getByRole("button", { name: "Policy: LAQ" })).toBeVisible({ timeout: 60_000 });
  await page.getByRole("button", { name: "Policy: LAQ" }).click();
  const speckv = page.getByRole("menuitemradio", { name: "SpecKV" });
  await expect(speckv).toHaveAttribute("aria-disabled", "true");
  await expect(speckv).toContainText("Not available: no model on this computer is smaller than SmolLM2 135M Instruct.");
});
