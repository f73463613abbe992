import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CatalogueModel } from "../../../../electron/contract/catalogue.ts";
import { openCatalogue } from "../../../../electron/engine/downloads/catalogue.ts";
import { createDownloads, type Downloads } from "../../../../electron/engine/downloads/downloads.ts";
import { type FileServer, serve, startServer } from "./fileServer.ts";

const bytes = randomBytes(600_000);
let folder = "";
let server: FileServer;
let downloads: Downloads;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight downloads "));
  server = await startServer();
  const model: CatalogueModel = {
    id: "small",
    name: "Small",
    quantisation: "Q8_0",
    licence: "MIT",
    trainedContextLength: 2048,
    file: "small.gguf",
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    address: `${server.origin}/small.gguf`,
    servers: ["example.org"],
  };
  downloads = createDownloads(openCatalogue({ models: [model], origin: server.origin }), folder);
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A download that stops answering in the middle; resolves once the first half is there. */
async function begun(controller: AbortController): Promise<{ readonly running: Promise<string> }> {
  server.answer((_request, response) => {
    response.writeHead(200, { "Content-Length": bytes.length });
    response.write(bytes.subarray(0, 250_000));
  });
  const running = downloads.get("small", { signal: controller.signal, emit: () => undefined });
  running.catch(() => undefined);
  await vi.waitFor(async () => expect((await downloads.list())[0]?.partBytes).toBe(250_000));
  return { running };
}

const silent = { signal: new AbortController().signal, emit: () => undefined };

it("tells what is here of each model", async () => {
  expect(await downloads.list()).toMatchObject([{ id: "small", partBytes: 0, path: null }]);
  const controller = new AbortController();
  const { running } = await begun(controller);
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: "cancelled" });
  const [paused] = await downloads.list();
  expect(paused?.path).toBeNull();
  expect(paused?.partBytes).toBe(250_000);
  server.answer(serve(bytes));
  expect(await downloads.get("small", silent)).toBe(join(folder, "small.gguf"));
  expect(await downloads.list()).toMatchObject([{ id: "small", partBytes: 0, path: join(folder, "small.gguf") }]);
});

it("refuses a second one of the same model while the first is on its way, and what it does not know", async () => {
  const controller = new AbortController();
  const { running } = await begun(controller);
  await expect(downloads.get("small", silent)).rejects.toMatchObject({
    code: "not-supported",
    message: expect.stringMatching(/already.*Pause/),
  });
  await expect(downloads.discard("small")).rejects.toMatchObject({ code: "not-supported" });
  await expect(downloads.get("other", silent)).rejects.toMatchObject({ code: "model-missing" });
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: "cancelled" });
});

it("goes on at once after a pause, and deletes at once after one", async () => {
  const controller = new AbortController();
  await begun(controller);
  controller.abort();
  server.answer(serve(bytes));
  await downloads.get("small", silent);
  await rm(join(folder, "small.gguf"));
  const another = new AbortController();
  await begun(another);
  another.abort();
  await downloads.discard("small");
  expect(await readdir(folder)).toEqual([]);
});

it("has nothing to offer in a run that keeps nothing", async () => {
  const without = createDownloads(openCatalogue(), null);
  expect(await without.list()).toEqual([]);
  await expect(without.get("smollm2-135m-instruct-q4_1", silent)).rejects.toMatchObject({ code: "not-supported" });
});
