import type { Locator } from "@playwright/test";
import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

/** How much of a canvas is painted, 0 … 1. */
function painted(canvas: Locator): Promise<number> {
  return canvas.evaluate((element) => {
    if (!(element instanceof HTMLCanvasElement)) throw new Error("This is no canvas.");
    const data = element.getContext("2d")?.getImageData(0, 0, element.width, element.height).data ?? new Uint8ClampedArray(0);
    let count = 0;
    for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) > 0) count += 1;
    return count / Math.max(1, data.length / 4);
  });
}

test("after an answer the pages show what mattered, what is kept, and the inspector says it in words", async ({ start, userData }) => {
  test.setTimeout(240_000);
  await writeSettings(userData, { maxTokens: 6 }, { contextLength: 2048, budget: 96, policy: "snapkv" });
  const path = await writeTextPdf(userData, "list.pdf", facts(60));
  const longsight = await start({ files: [path] });
  const { page } = longsight;
  const desk = new Desk(page);
  await desk.waitForDocument("list.pdf");
  await expect(page.getByTestId("heat-bar")).toHaveCount(0);
  await desk.ask("What is stored in Bergen?");
  await desk.waitForAnswer();

  // On the page: shades that leave the text readable, and underlines of what is kept.
  const bar = page.getByTestId("heat-bar");
  await expect(bar).toHaveAttribute("data-status", "ready", { timeout: 30_000 });
  await expect(bar).toContainText("The stronger the shade, the more the end of the prompt looks there (rank among all).");
  const heat = page.getByTestId("heat-canvas").first();
  await expect.poll(() => painted(heat)).toBeGreaterThan(0.01);
  expect(await painted(page.getByTestId("minimap"))).toBeGreaterThan(0.05);

  // The page fits its pane: nothing of it lies under the conversation.
  const pane = await page.locator('[data-pane="pages"]').boundingBox();
  const strip = await page.getByTestId("minimap").boundingBox();
  expect((strip?.x ?? 0) + (strip?.width ?? 0)).toBeLessThanOrEqual((pane?.x ?? 0) + (pane?.width ?? 0));
  const column = page.locator(".page-scroller");
  expect(await column.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(1);

  // What is pointed at is told of.
  const word = page.locator(".text-layer span", { hasText: "Warehouse 3 in Davos" }).first();
  const box = await word.boundingBox();
  if (box === null) throw new Error("The word is not to be seen.");
  await page.mouse.move(box.x + 20, box.y + box.height / 2);
  await expect(page.getByTestId("heat-pointed")).toContainText(/^“Warehouse” · rank [\d,]+ of [\d,]+ · kept in \d+ of 90 heads · score /);

  // Whole sentences at a time.
  await page.getByRole("button", { name: "Heat: importance" }).press("Enter");
  await page.getByRole("menuitemradio", { name: "sentence" }).press("Enter");
  await page.keyboard.press("Escape");
  // The sentences are there a moment later: what is pointed at before is none of them.
  await expect(async () => {
    await page.mouse.move(box.x + 24, box.y + box.height / 2);
    await page.mouse.move(box.x + 20, box.y + box.height / 2);
    await expect(page.getByTestId("heat-pointed")).toContainText(/Warehouse 3 in Davos.*” · rank [\d,]+ of [\d,]+/, { timeout: 500 });
  }).toPass({ timeout: 15_000 });

  await page.getByRole("button", { name: "Heat: importance" }).press("Enter");
  await page.getByRole("menuitemradio", { name: "kept / evicted" }).press("Enter");
  await page.keyboard.press("Escape");
  await expect(bar).toContainText("Faded: evicted by most of them.");

  // Words instead of colours.
  await page.getByRole("tab", { name: "Inspector" }).click();
  await expect(page.getByTestId("coverage")).toContainText(
    /^All 2 pages were read\. At this budget \d+% of the cache is kept: 96 tokens per head\./,
  );
  const passage = page.getByTestId("passages").getByRole("button").first();
  await expect(passage).toContainText(/p\. \d/);
  await passage.press("Enter");
  await expect(page.getByTestId("flash").first()).toBeInViewport();
  // Nothing but the pages was scrolled.
  expect(await page.locator(".top-bar").evaluate((bar) => bar.getBoundingClientRect().top)).toBe(0);

  // One layer and head, by keyboard, and back.
  await page.getByRole("button", { name: /^Layer 1, head 1: / }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Layer 2, head 2: / })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Layer 2, head 2", exact: true }).click();
  await expect(page.getByRole("button", { name: /^Layer 2, head 2: / })).toHaveAttribute("aria-pressed", "false");

  // The slider shows another budget before it is let go of.
  const slider = page.getByRole("slider", { name: "Budget" });
  await slider.press("End");
  await expect(page.getByTestId("coverage")).toContainText("All of the cache is kept.");
  expect(longsight.console.filter((line) => /error/i.test(line))).toEqual([]);
});

test("an answer from the full cache is scored when somebody asks for it, and the text can be gone through by keyboard", async ({
  start,
  userData,
}) => {
  test.setTimeout(240_000);
  await writeSettings(userData, { maxTokens: 6 }, { contextLength: 1024 });
  const path = await writeTextPdf(userData, "list.pdf", facts(14));
  const longsight = await start({ files: [path] });
  const { page } = longsight;
  const desk = new Desk(page);
  await desk.waitForDocument("list.pdf");
  await desk.ask("What is stored in Bergen?");
  await desk.waitForAnswer();
  const bar = page.getByTestId("heat-bar");
  await expect(bar).toHaveAttribute("data-status", "missing");
  await bar.getByRole("button", { name: "Show what mattered" }).press("Enter");
  await expect(bar).toHaveAttribute("data-status", "ready", { timeout: 60_000 });

  await page.getByRole("button", { name: "Text", exact: true }).click();
  const text = page.getByRole("group", { name: /^Text of page 1 with its heat/ });
  await text.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("heat-pointed")).toContainText(/^“1” · (rank [\d,]+ of|always kept)/);

  // A passage is brought into view in the text as well.
  await page.getByRole("tab", { name: "Inspector" }).click();
  const passages = page.getByTestId("passages").getByRole("button");
  for (const index of [0, 1]) {
    await passages.nth(index).press("Enter");
    await expect(page.locator(".text-page-text .flash").first()).toBeInViewport();
  }
  expect(longsight.console.filter((line) => /error/i.test(line))).toEqual([]);
});
