import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AnswerFigures } from "../../electron/contract/conversation.ts";
import type { StreamEvent } from "../../electron/contract/engine.ts";
import { smol, smolPath, startEngine, storyOf, type TestEngine } from "./support/engine.ts";
import { createContext, open } from "./support/models.ts";
import { ensureOtherTemplate, ensureStranger } from "./support/stranger.ts";

const canCopyRows = await (async () => {
  const model = await open(smolPath);
  const context = await createContext(model);
  const bytes = context.rowBytes("exact");
  await context.dispose();
  await model.dispose();
  return bytes > 0;
})();
if (!canCopyRows) console.warn("This native build cannot copy rows out of a cache: the tests of snapshots are skipped.");

const question = "What is the code of the harbour light?";
const documentTokens = 1900;

describe.skipIf(!canCopyRows)("snapshots", () => {
  /** What the story's one reading left on disk; each test has a copy of its own. */
  let readFolder: string;
  /** The story's answer without any snapshot. */
  let cold: Asked;
  let snapshotFolder: string;
  const running: TestEngine[] = [];

  beforeAll(async () => {
    readFolder = await mkdtemp(join(tmpdir(), "longsight-snapshots-"));
    await readOnce(readFolder);
    cold = await ask(await start({}, null));
    await endAll();
  });
  afterAll(async () => {
    await rm(readFolder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    snapshotFolder = await mkdtemp(join(tmpdir(), "longsight-snapshots-"));
    await cp(readFolder, snapshotFolder, { recursive: true });
  });
  afterEach(async () => {
    await endAll();
    await rm(snapshotFolder, { recursive: true, force: true });
  });

  const endAll = async () => {
    for (const app of running.splice(0)) await app.dispose();
  };

  type Load = NonNullable<Parameters<typeof startEngine>[0]>;

  /** A new start of the app, which knows nothing but what is on disk. */
  const start = async (load: Load = {}, folder: string | null = snapshotFolder) => {
    const app = await startEngine({ contextLength: 4096, ...load }, { snapshotFolder: folder });
    running.push(app);
    return app;
  };

  type Asked = { figures: AnswerFigures; notices: string[]; stages: Set<string> };

  const ask = async (
    app: TestEngine,
    options: Parameters<TestEngine["ask"]>[2] & { text?: string; asked?: string } = {},
  ): Promise<Asked> => {
    const { text = storyOf(documentTokens), asked = question, ...rest } = options;
    const { id } = await app.openText("story.txt", text);
    const events: StreamEvent[] = [];
    const { figures } = await app.ask(await app.converse([id]), asked, { ...rest, onEvent: (event) => events.push(event) });
    return {
      figures,
      notices: events.flatMap((event) => (event.event === "notice" ? [event.message] : [])),
      stages: new Set(events.flatMap((event) => (event.event === "progress" ? [event.stage] : []))),
    };
  };

  /** Reads the document once, and ends the app when all of it is on disk. The first time the model's file has to be hashed meanwhile. */
  const readOnce = async (folder: string) => {
    const app = await start({}, folder);
    await ask(app);
    for (let tries = 0; tries < 20 && (await chunks(folder)).length < 3; tries++) {
      await ask(app, { asked: `${question} (${tries})` });
    }
    await end(app);
  };

  const end = async (app: TestEngine) => {
    await app.dispose();
    running.splice(running.indexOf(app), 1);
  };

  const chunks = async (folder = snapshotFolder) => (await readdir(folder)).filter((name) => name.endsWith(".chunk")).sort();

  test("cold, from memory and restored: the same answer, and a restored one is there in a fraction of the time", async () => {
    const app = await start();
    const restored = await ask(app);
    const fromMemory = await ask(app);
    expect(restored.figures.answer).toBe(cold.figures.answer);
    expect(fromMemory.figures.answer).toBe(cold.figures.answer);
    expect(cold.figures).toMatchObject({ restoredTokens: 0, cachedTokens: 0 });
    expect(fromMemory.figures.restoredTokens).toBe(0);
    const { promptTokens, evaluatedTokens, restoredTokens, cachedTokens, timings } = restored.figures;
    expect(cachedTokens).toBe(restoredTokens);
    expect(cachedTokens + evaluatedTokens).toBe(promptTokens);
    expect(evaluatedTokens).toBeLessThan(0.05 * documentTokens);
    expect(timings.restoreMs).toBeGreaterThan(0);
    expect(timings.firstTokenMs).toBeLessThan(0.2 * cold.figures.timings.firstTokenMs);
    expect(restored.stages).toContain("restore");
    expect(restored.notices).toEqual([]);
  });

  test("another question after an eviction begins where the document ends", async () => {
    const app = await start();
    const asked = "Who writes the book each evening?";
    const first = await ask(app, { budget: 128, policy: "snapkv" });
    const second = await ask(app, { budget: 128, policy: "snapkv", asked });
    expect(first.figures.restoredTokens).toBeGreaterThan(0);
    // The full cache was freed: without snapshots all of it would be read again.
    expect(second.figures.evaluatedTokens).toBeLessThan(300);
    // What was kept for the first question answers no other.
    expect(second.figures).toMatchObject({ scoredFor: "question", scoresStored: false, scoredRows: 32 });
    const fresh = await ask(await start({}, null), { budget: 128, policy: "snapkv", asked });
    expect(second.figures.answer).toBe(fresh.figures.answer);
  });

  test("a bit flipped in 20 places: never a wrong answer, and what is damaged is read again", async () => {
    for (let place = 0; place < 20; place++) {
      const names = await chunks();
      const path = join(snapshotFolder, names[place % names.length] ?? "");
      const { size } = await stat(path);
      const bytes = await readFile(path);
      const at = place < 6 ? place * 9 : Math.floor((size - 1) * (place / 19));
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (place % 8));
      await writeFile(path, bytes);
      const app = await start();
      const { figures } = await ask(app);
      expect(figures.answer).toBe(cold.figures.answer);
      await end(app);
    }
    expect((await readdir(join(snapshotFolder, "damaged"))).length).toBeLessThanOrEqual(2);
  });

  test("one that is cut off is put aside with a notice, and the answer is right", async () => {
    const [name] = await chunks();
    await truncate(join(snapshotFolder, name ?? ""), 5000);
    const app = await start();
    const first = await ask(app);
    expect(first.figures.answer).toBe(cold.figures.answer);
    expect(first.notices.join()).toContain("damaged");
    expect((await ask(app)).notices).toEqual([]);
  });

  test("another model, another template, another cache type: nothing of it is used", async () => {
    const models = [await ensureStranger(), await ensureOtherTemplate()];
    for (const load of [...models.map((model) => ({ model })), { kvType: "q8_0" } as const]) {
      const app = await start(load);
      const { figures, notices } = await ask(app);
      expect(figures).toMatchObject({ restoredTokens: 0, cachedTokens: 0 });
      expect(notices).toEqual([]);
      // Their computing is the same; it is what they are that differs.
      if (!("kvType" in load)) expect(figures.answer).toBe(cold.figures.answer);
      await end(app);
    }
  });

  test("two processes read and write the same folder", async () => {
    const [one, other] = [await start(), await start()];
    const answers = await Promise.all([ask(one), ask(other)]);
    for (const { figures } of answers) expect(figures.answer).toBe(cold.figures.answer);
    await one.call("clearSnapshots", { documentId: null });
    expect((await ask(other)).figures.answer).toBe(cold.figures.answer);
    expect((await one.call("snapshotUsage", {})).totalBytes).toBeGreaterThanOrEqual(0);
  });

  test("a folder that cannot be: told once, and answers go on", async () => {
    const file = join(snapshotFolder, "file");
    await writeFile(file, "");
    const app = await start({}, file);
    const first = await ask(app);
    const second = await ask(app);
    expect(first.figures.answer).not.toBe("");
    expect([...first.notices, ...second.notices]).toHaveLength(1);
  });

  test("what was read until Stop is there after a restart", async () => {
    const app = await start();
    const text = storyOf(2600, "161803");
    const stop = new AbortController();
    const { id } = await app.openText("other.txt", text);
    const onEvent = (event: StreamEvent) => {
      if (event.event === "progress" && event.stage === "prefill" && event.done > 1100) stop.abort();
    };
    const stopped = await app.ask(await app.converse([id]), question, { signal: stop.signal, onEvent });
    expect(stopped.figures.stopReason).toBe("cancelled");
    await end(app);
    const next = await start();
    const again = await next.openText("other.txt", text);
    const { figures } = await next.ask(await next.converse([again.id]), question);
    expect(figures.restoredTokens).toBeGreaterThan(900);
  });

  test("is counted by document, cleared for one or all, and kept to its room", async () => {
    const app = await start();
    const usage = await app.call("snapshotUsage", {});
    expect(usage.documents.map((document) => document.name)).toEqual(["story.txt"]);
    expect(usage.documents[0]?.bytes).toBe(usage.totalBytes);
    const smaller = await app.call("configureSnapshots", { budgetBytes: 15_000_000 });
    expect(smaller.totalBytes).toBeLessThanOrEqual(15_000_000);
    const cleared = await app.call("clearSnapshots", { documentId: usage.documents[0]?.documentId ?? null });
    expect(cleared).toMatchObject({ totalBytes: 0, documents: [] });
    expect((await app.call("loadModel", { model: smol, contextLength: 4096, kvType: "f16", threads: null })).contextLength).toBe(4096);
  });
});
