import { readdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { serve } from "../unit/engine/downloads/fileServer.ts";
import { ggufBytes, tinyModel, tinyTensors } from "../unit/engine/llama/ggufFile.ts";
import { seriousFaults } from "./support/axe.ts";
import { dropFiles } from "./support/drop.ts";
import { expect, type Longsight, test } from "./support/longsight.ts";
import { catalogueOf, startServer } from "./support/modelServer.ts";
import { writeSettings } from "./support/settings.ts";

const tiny = (name: string) => ggufBytes(tinyModel({ "general.name": name }), tinyTensors);

const option = (page: Page, name: string) => page.getByTestId("model-option").filter({ hasText: name });

/** Waits for the embedded model, and opens the list of models by its key. */
async function openModels({ page }: Longsight): Promise<void> {
  await expect(page.locator(".model-state")).toHaveText("ready", { timeout: 60_000 });
  await page.keyboard.press("Control+l");
  await expect(page.getByTestId("model-dialog")).toBeVisible();
}

test("before any load each model tells whether it fits, of what parts, and its lookahead module; the form changes it", async ({
  start,
  userData,
}) => {
  await writeSettings(userData, {}, { contextLength: 2048 });
  const path = join(userData, "Mine.gguf");
  await writeFile(path, tiny("My Model"));
  const longsight = await start();
  const { page } = longsight;
  await openModels(longsight);
  await dropFiles(page, '[data-testid="model-dialog"]', [path]);
  const mine = option(page, "My Model");
  await expect(mine.getByRole("radio")).toBeChecked();
  await expect(mine).toContainText("Fits");
  await expect(mine).toContainText("Lookahead module: none: SnapKV takes its place");
  await expect(mine).toContainText("estimated: full cache 1.0 MB, all else 315 MB. Everything is kept.");
  const embedded = option(page, "SmolLM2 135M Instruct");
  await expect(embedded).toContainText(/Lookahead module: “.+”, trained for [\d,]+ steps/);
  await expect(embedded).toContainText("As it is loaded now: full cache 47 MB for 2,048 tokens, measured.");

  await page.getByRole("textbox", { name: "Context length (tokens)" }).fill("1024");
  await expect(mine).toContainText("full cache 524 kB");
  await page.getByRole("textbox", { name: "Budget (tokens)" }).fill("256");
  await expect(mine).toContainText("kept cache 131 kB");
  await page.getByRole("combobox", { name: "Cache type" }).selectOption("q8_0");
  await expect(mine).toContainText("full cache 279 kB, kept cache 70 kB");
  await page.getByRole("textbox", { name: "Budget (tokens)" }).fill("3");
  await expect(page.getByText("At least 32 tokens, or leave it empty.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Load", exact: true })).toBeDisabled();
  expect(await seriousFaults(page)).toEqual([]);
  // There is no GPU in this build.
  await expect(page.getByRole("textbox", { name: "Layers on the GPU" })).toHaveCount(0);

  // What is typed is what is loaded, and the budget with it.
  await page.getByRole("textbox", { name: "Budget (tokens)" }).fill("256");
  await embedded.getByRole("radio").check();
  await page.getByRole("button", { name: "Load", exact: true }).click();
  await expect(page.getByTestId("model-dialog")).toHaveCount(0, { timeout: 60_000 });
  expect(await longsight.shell("getSettings", {})).toMatchObject({ ok: true, value: { contextLength: 1024, kvType: "q8_0", budget: 256 } });
});

test("a file of one's own is a reference; what is no model is named; one that is gone can be taken off the list", async ({
  start,
  userData,
}) => {
  await writeSettings(userData, {}, { contextLength: 2048 });
  const path = join(userData, "Mine “2”.gguf");
  await writeFile(path, tiny("My Model"));
  const page404 = join(userData, "page.gguf");
  await writeFile(page404, "<!doctype html><title>404</title>");
  const split = join(userData, "big-00001-of-00003.gguf");
  await writeFile(split, ggufBytes(tinyModel({ "split.count": 3 }), tinyTensors));
  const recurrent = join(userData, "mamba.gguf");
  const mamba = { "general.architecture": "mamba", "mamba.context_length": 2048, "mamba.block_count": 4, "mamba.embedding_length": 96 };
  await writeFile(recurrent, ggufBytes(tinyModel({ ...mamba, "mamba.attention.head_count": 2 }), tinyTensors));
  const first = await start();
  await expect(first.page.locator(".model-state")).toHaveText("ready", { timeout: 60_000 });
  // Dropped on the desk it opens the list.
  await dropFiles(first.page, '[data-testid="drop-area"]', [path]);
  await expect(option(first.page, "My Model").getByRole("radio")).toBeChecked();
  for (const [file, words] of [
    [page404, /“page\.gguf” is not a GGUF file.*a web page/],
    [split, /“big-00001-of-00003\.gguf” is one of 3 parts/],
    [recurrent, /keeps a recurrent state/],
  ] as const) {
    await dropFiles(first.page, '[data-testid="model-dialog"]', [file]);
    await expect(first.page.getByTestId("model-problem")).toContainText(words);
  }
  await expect(first.page.getByTestId("model-option")).toHaveCount(2);
  expect(await seriousFaults(first.page)).toEqual([]);
  await first.quit();

  await rename(path, `${path}.away`);
  const second = await start();
  await openModels(second);
  const gone = second.page.getByTestId("unusable-model");
  await expect(gone).toContainText("is not in its place any more");
  expect(await seriousFaults(second.page)).toEqual([]);
  await gone.getByRole("button", { name: /Take Mine .* off the list/ }).press("Enter");
  await expect(gone).toHaveCount(0);
  expect((await stat(`${path}.away`)).isFile()).toBe(true);
});

test("a model of the catalogue is downloaded only where a person agrees, pauses, goes on, and is deleted when asked", async ({
  start,
  userData,
}) => {
  await writeSettings(userData, {}, { contextLength: 2048 });
  const bytes = tiny("Offered Model");
  const half = Math.floor(bytes.length / 2);
  const server = await startServer();
  try {
    const longsight = await start({ environment: catalogueOf(server, bytes) });
    const { page, electronApp } = longsight;
    await electronApp.evaluate(({ dialog }) => {
      Object.assign(globalThis, { asked: [], answer: 1 });
      Object.assign(dialog, {
        showMessageBox: async (_window: unknown, options: { message: string; detail: string }) => {
          Reflect.get(globalThis, "asked").push(`${options.message} ${options.detail.split("\n")[0]}`);
          return { response: Reflect.get(globalThis, "answer"), checkboxChecked: false };
        },
      });
    });
    await openModels(longsight);
    const offer = page.getByTestId("offer");
    await expect(offer).toContainText("Apache-2.0");
    await expect(offer).toContainText(`${server.origin}/offered.gguf`);
    expect(await seriousFaults(page)).toEqual([]);
    const download = offer.getByRole("button", { name: "Download Offered Model" });
    await download.press("Enter");
    await expect
      .poll(() => electronApp.evaluate(() => Reflect.get(globalThis, "asked")))
      .toEqual([`Download “Offered Model” (0 MB, Apache-2.0)? ${server.origin}/offered.gguf`]);
    await expect(download).toBeVisible();
    expect(server.asked).toEqual([]);

    // The server stops in the middle and says no more.
    server.answer((_request, response) => {
      response.writeHead(200, { "Content-Length": bytes.length });
      response.write(bytes.subarray(0, half));
    });
    await electronApp.evaluate(() => Object.assign(globalThis, { answer: 0 }));
    await download.press("Enter");
    await expect(page.getByTestId("download-progress")).toBeVisible();
    const part = join(userData, "models", "Offered.Q8_0.gguf.part");
    await expect.poll(async () => (await stat(part).catch(() => null))?.size).toBe(half);
    expect(await seriousFaults(page)).toEqual([]);
    await offer.getByRole("button", { name: "Pause the download of Offered Model" }).press("Enter");
    await expect(offer).toContainText("Paused:");

    server.answer((_request, response) => response.writeHead(404).end());
    const goOn = offer.getByRole("button", { name: "Go on downloading Offered Model" });
    await goOn.press("Enter");
    await expect(page.getByTestId("download-problem")).toContainText("not there any more");
    expect(await seriousFaults(page)).toEqual([]);
    server.answer(serve(bytes));
    await goOn.press("Enter");
    const loaded = option(page, "Offered Model");
    await expect(loaded.getByRole("radio")).toBeChecked();
    await expect(offer).toHaveCount(0);
    expect(server.asked.at(-1)).toEqual({ path: "/offered.gguf", range: `bytes=${half}-` });
    expect(await electronApp.evaluate(() => Reflect.get(globalThis, "asked").length)).toBe(2);
    expect(await readdir(join(userData, "models"))).toEqual(["Offered.Q8_0.gguf"]);

    await loaded.getByRole("button", { name: "Delete Offered Model" }).press("Enter");
    await loaded.getByRole("button", { name: /Delete the file/ }).press("Enter");
    await expect(offer).toBeVisible();
    expect(await readdir(join(userData, "models"))).toEqual([]);
    expect(longsight.console.filter((line) => /error/i.test(line))).toEqual([]);
  } finally {
    await server.close();
  }
});
