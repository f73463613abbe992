import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StreamEvent } from "../../electron/contract/engine.ts";
import { ensureUntrainedModule } from "../../scripts/module.mjs";
import { root, smolPath, startEngine, storyOf, type TestEngine } from "./support/engine.ts";

const question = "What is the code of the harbour light?";
const later = "When was the light built?";
/** Of one token, f16. */
const tokenBytes = 23_040;
const policy = "lookahead";
const budget = 96;

let app: TestEngine;
let snapshotFolder: string;
let documentId: string;
const start = (moduleFolder = join(root, "assets", "lookahead")) =>
  startEngine({ contextLength: 2048 }, { moduleFolders: [moduleFolder], snapshotFolder });
beforeAll(async () => {
  snapshotFolder = await mkdtemp(join(tmpdir(), "longsight-modes-"));
  app = await start();
  documentId = (await app.openText("log.txt", storyOf(700))).id;
}, 120_000);
afterAll(async () => {
  await app.dispose();
  await rm(snapshotFolder, { recursive: true, force: true });
});

const fresh = () => app.converse([documentId]);
const noticesInto = (notices: string[]) => (event: StreamEvent) => {
  if (event.event === "notice") notices.push(event.message);
};
const readingInto = (fractions: number[]) => (event: StreamEvent) => {
  if (event.event === "progress" && event.stage === "prefill") fractions.push(event.fraction);
};

/** Progress of one reading from its beginning to its end, however many parts that has. */
function expectSteady(fractions: readonly number[]): void {
  expect(fractions).toEqual([...fractions].sort((one, other) => one - other));
  expect([fractions[0], fractions[fractions.length - 1]]).toEqual([0, 1]);
  expect(fractions.length).toBeGreaterThan(3);
}

describe("streaming", () => {
  test("never has more cells than a window and the budget, while it reads and while it answers", async () => {
    const fractions: number[] = [];
    const { figures } = await app.ask(await fresh(), question, { budget, policy, mode: "streaming", onEvent: readingInto(fractions) });
    expectSteady(fractions);
    expect(figures).toMatchObject({ mode: "streaming", policy, keptTokens: budget, scoredFor: "question", cachedTokens: 0 });
    expect(figures.promptTokens).toBeGreaterThan(900);
    // 96 and 512, in whole blocks of 32.
    expect(figures.fullCacheBytes).toBe(608 * tokenBytes);
    expect(figures.keptCacheBytes).toBe(figures.fullCacheBytes);
    expect(figures.evictions).toBeGreaterThan(2);
    // The module's 32 rows, and those of the question in view.
    const rows = figures.scoredRows / figures.evictions;
    expect(rows).toBeGreaterThan(32);
    expect(Number.isInteger(rows)).toBe(true);
    expect(rows).toBeLessThanOrEqual(32 + 160);
    expect(figures.answer).not.toBe("");
    const again = await app.ask(await fresh(), question, { budget, policy, mode: "streaming" });
    expect(again.figures.answer).toBe(figures.answer);
  });

  test("reads what is larger than the full cache may be, which no other mode does", async () => {
    const small = await startEngine({ contextLength: 2048, fullCacheTokens: 512 });
    const { id } = await small.openText("log.txt", storyOf(700));
    const conversation = await small.converse([id]);
    for (const mode of ["question", "once"] as const) {
      await expect(small.ask(conversation, question, { budget, policy: "snapkv", mode })).rejects.toMatchObject({
        code: "does-not-fit",
        message: expect.stringMatching(/one of 512.*streaming.*Nothing was cut/),
      });
    }
    await expect(small.ask(conversation, question)).rejects.toMatchObject({ code: "does-not-fit" });
    const { figures } = await small.ask(conversation, question, { budget, policy: "snapkv", mode: "streaming" });
    expect(figures).toMatchObject({
      keptTokens: budget,
      fullCacheBytes: 608 * tokenBytes,
      stopReason: expect.stringMatching(/end|max-tokens/),
    });
    // All of it again, and said so: nothing of a streamed text stays.
    const second = await small.ask(conversation, later, { budget, policy: "snapkv", mode: "streaming" });
    expect(second.figures.rereadTokens).toBeGreaterThan(900);
    await small.dispose();
  });

  test("keeps the whole question, or says that the budget is too small for it", async () => {
    const long = `${"Think of the tide, the wind and the ships. ".repeat(12)}${question}`;
    await expect(app.ask(await fresh(), long, { budget, policy, mode: "streaming" })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/always kept/),
    });
    const { figures } = await app.ask(await fresh(), long, { budget: 256, policy, mode: "streaming" });
    expect(figures.keptTokens).toBe(256);
  });
});

describe("once", () => {
  test("reads the document once: a later turn adds what is new, and after a restart it comes from disk", async () => {
    const asked = { budget, policy, mode: "once" } as const;
    const conversation = await fresh();
    const fractions: number[] = [];
    const first = await app.ask(conversation, question, { ...asked, onEvent: readingInto(fractions) });
    expectSteady(fractions);
    expect(first.figures).toMatchObject({ mode: "once", scoredFor: "document", evictions: 1, scoredRows: 32, restoredTokens: 0 });
    const notices: string[] = [];
    const second = await app.ask(conversation, later, { ...asked, onEvent: noticesInto(notices) });
    const { figures } = second;
    expect(figures).toMatchObject({ scoredFor: "document", evictions: 0, restoredTokens: 0, startedOver: null });
    // The new turn, the answer before it, and a line of the grid at most.
    expect(figures.evaluatedTokens).toBeLessThan(figures.promptTokens - first.figures.promptTokens + 64);
    expect(figures.cachedTokens).toBeGreaterThan(figures.documentTokens);
    expect(figures.fullCacheBytes).toBe(first.figures.keptCacheBytes);
    expect(notices).toEqual([]);

    const changed = await app.ask(conversation, later, { ...asked, budget: 128 });
    expect(changed.figures).toMatchObject({ evictions: 1, startedOver: "choice" });

    await app.dispose();
    app = await start();
    documentId = (await app.openText("log.txt", storyOf(700))).id;
    const restarted = await app.ask(await fresh(), question, asked);
    expect(restarted.figures.answer).toBe(first.figures.answer);
    expect(restarted.figures).toMatchObject({ scoredFor: "document", evictions: 0 });
    expect(restarted.figures.restoredTokens).toBeGreaterThan(figures.documentTokens);
    expect(restarted.figures.evaluatedTokens).toBeLessThan(64);
  });

  test("makes what it kept on disk anew where that is damaged, with a notice, and takes none of another module", async () => {
    const asked = { budget, policy, mode: "once", sampling: { maxTokens: 4 } } as const;
    const good = (await app.ask(await fresh(), question, asked)).figures;
    const restart = async (moduleFolder?: string) => {
      await app.dispose();
      app = await start(moduleFolder);
      documentId = (await app.openText("log.txt", storyOf(700))).id;
    };
    await restart();
    const names = (await readdir(snapshotFolder)).filter((name) => name.endsWith(".kept"));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const bytes = await readFile(join(snapshotFolder, name));
      const middle = Math.floor(bytes.length / 2);
      for (let at = middle; at < middle + 64; at++) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      await writeFile(join(snapshotFolder, name), bytes);
    }
    const notices: string[] = [];
    const again = (await app.ask(await fresh(), question, { ...asked, onEvent: noticesInto(notices) })).figures;
    expect(notices).toEqual([expect.stringMatching(/damaged/)]);
    expect(again).toMatchObject({ answer: good.answer, documents: good.documents, evictions: 1, scoredFor: "document" });

    await restart();
    const restored = (await app.ask(await fresh(), question, { ...asked, onEvent: noticesInto(notices) })).figures;
    expect(notices).toHaveLength(1);
    expect(restored).toMatchObject({ answer: good.answer, evictions: 0 });
    expect(restored.restoredTokens).toBeGreaterThan(restored.documentTokens);

    const modules = await mkdtemp(join(tmpdir(), "longsight-modules-"));
    const module = await ensureUntrainedModule(smolPath, { randomLora: 0.01 });
    await symlink(module, join(modules, basename(module)));
    await restart(modules);
    expect((await app.call("currentModel", {}))?.lookahead?.steps).toBe(0);
    const other = (await app.ask(await fresh(), question, asked)).figures;
    // The documents themselves come from disk: what was read does not depend on what chooses.
    expect(other).toMatchObject({ evictions: 1, scoredFor: "document", policy: "lookahead" });
    expect(other.restoredTokens).toBeGreaterThan(500);
    await restart();
    await rm(modules, { recursive: true });
  });

  test("chooses again among what is left when it is full, and says for which question", async () => {
    const conversation = await fresh();
    const asked = { budget, policy, mode: "once", sampling: { maxTokens: 4 } } as const;
    const words = `${"Think of the tide, the wind and the ships. ".repeat(5)}${later}`;
    const seen: (string | null)[] = [];
    let bytes = 0;
    for (let turn = 0; turn < 8; turn++) {
      const { figures } = await app.ask(conversation, words, asked);
      seen.push(figures.scoredFor);
      expect(figures.evictions > 0).toBe(figures.scoredFor === "question" || (turn === 0 && figures.cachedTokens === 0));
      bytes ||= figures.keptCacheBytes;
      expect(figures.keptCacheBytes).toBe(bytes);
    }
    const full = seen.indexOf("question");
    expect(full).toBeGreaterThan(1);
    expect(seen.slice(0, full).every((scoredFor) => scoredFor === "document")).toBe(true);
    expect(seen[full + 1]).toBe("earlier-question");
    // A question that would not fit what is kept is refused rather than cut.
    await expect(app.ask(conversation, words.repeat(3), asked)).rejects.toMatchObject({ code: "usage" });
  });
});

describe("every mode", () => {
  test("with a budget of the whole prompt gives the full cache's answer", async () => {
    const full = await app.ask(await fresh(), question);
    for (const mode of ["question", "once", "streaming"] as const) {
      const { figures } = await app.ask(await fresh(), question, { budget: full.figures.promptTokens, policy, mode });
      expect(figures).toMatchObject({ answer: full.figures.answer, mode, policy: "full", scoredFor: null, evictions: 0 });
    }
  });

  test("refuses what contradicts it", async () => {
    await expect(app.ask(await fresh(), question, { mode: "once" })).rejects.toMatchObject({ code: "usage" });
    await expect(app.ask(await fresh(), question, { mode: "streaming", budget, policy: "laq" })).rejects.toThrow(/laq.*question/);
  });
});
