import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { root } from "../../scripts/files.mjs";
import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { dropFiles } from "./support/drop.ts";
import { expect, test } from "./support/longsight.ts";
import { type Look, looksRight, steady, steadySwitches } from "./support/looks.ts";
import { writeSettings } from "./support/settings.ts";

const looks: readonly Look[] = [
  { name: "light", theme: "light", width: 1280, height: 800 },
  { name: "dark", theme: "dark", width: 1280, height: 800 },
  { name: "small", theme: "light", width: 900, height: 600 },
];

const sample = "longsight-sample.pdf";
const settings = { contextLength: 2048, policy: "snapkv" } as const;

for (const look of looks) {
  test(`the main states look as they are stored (${look.name}, ${look.width}×${look.height})`, async ({ start, userData }) => {
    test.skip(process.platform !== "linux", "The stored pictures were taken with the letters and controls of Linux.");
    test.setTimeout(600_000);
    await writeSettings(userData, { maxTokens: 256, stop: ["."] }, { ...settings, theme: look.theme, budget: 192 });
    const others = [await writeTextPdf(userData, "Warehouses.pdf", facts(16)), await writeTextPdf(userData, "Inventory.pdf", facts(5))];
    const notes = join(userData, "Notes on the garden.md");
    await writeFile(notes, "# Notes\n\nThe pump in the garden was set up in May.\n");
    const first = await start({ switches: steadySwitches });
    const { page } = first;
    const desk = new Desk(page);
    await steady(first, look);
    await expect(page.locator(".model-state")).toHaveText("ready", { timeout: 60_000 });
    await expect(desk.meter).toContainText("2,048 tokens");
    await looksRight(page, look, "empty");

    await dropFiles(page, '[data-testid="drop-area"]', [...others, notes]);
    await expect(desk.meter).toContainText(/[1-9][\d,]* document/, { timeout: 60_000 });
    for (const path of [...others, notes])
      await page.getByRole("button", { name: `Take ${basename(path)} out of this conversation` }).click();
    await expect(page.getByRole("heading", { name: "Drop a document here" })).toBeVisible();
    await dropFiles(page, '[data-testid="drop-area"]', [join(root, "assets", "samples", sample)]);
    await desk.waitForDocument(sample);
    await expect(desk.canvases.first()).toHaveAttribute("data-state", "drawn");
    await looksRight(page, look, "document");

    await desk.ask("How long does the warranty last?");
    await desk.waitForAnswer();
    await expect(page.getByTestId("heat-bar")).toHaveAttribute("data-status", "ready", { timeout: 60_000 });
    await looksRight(page, look, "answer");
    await page.getByRole("tab", { name: "Inspector" }).click();
    await page.getByTestId("passages").getByRole("button").first().click();
    await expect(page.getByTestId("passages").getByRole("button").first()).toBeVisible();
    await looksRight(page, look, "inspector", page.getByTestId("inspector"));
    await page.getByRole("tab", { name: "Conversation" }).click();
    await page.getByRole("button", { name: "Heat: importance" }).click();
    await page.getByRole("menuitemradio", { name: "kept / evicted" }).click();
    await page.keyboard.press("Escape");
    await looksRight(page, look, "kept", page.locator('[data-pane="pages"]'));

    await page.keyboard.press("Control+l");
    await expect(page.getByTestId("model-option").first()).toBeVisible();
    await looksRight(page, look, "model", page.getByTestId("model-dialog"));
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+,");
    await expect(page.getByTestId("snapshots")).toContainText("from 1 document");
    await looksRight(page, look, "settings", page.getByRole("dialog"));
    await page.keyboard.press("Escape");

    const library = page.getByRole("navigation", { name: "Library" });
    if (!(await library.isVisible())) await page.getByRole("button", { name: "Show the library" }).click();
    await library.getByRole("textbox", { name: "Search documents" }).fill("inv");
    await library.getByRole("textbox", { name: "Search conversations" }).fill("warranty");
    await expect(page.getByRole("list", { name: "Found in conversations" }).getByRole("button").first()).toBeVisible();
    await looksRight(page, look, "library", library);
    await first.quit();

    // Too small for what this policy always keeps.
    await writeSettings(userData, { maxTokens: 256, stop: ["."] }, { ...settings, theme: look.theme, budget: 32 });
    const second = await start({ switches: steadySwitches, files: [notes] });
    const again = new Desk(second.page);
    await steady(second, look);
    await again.waitForDocument("Notes on the garden.md");
    await again.ask("When was the pump set up?");
    await expect(again.lastAnswer).toHaveAttribute("data-status", "failed", { timeout: 60_000 });
    await looksRight(second.page, look, "error");
  });
}
