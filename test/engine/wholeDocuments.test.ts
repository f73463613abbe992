import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Heatmap } from "../../electron/contract/heatmap.ts";
import type { ChoosingPolicy } from "../../electron/contract/policies.ts";
import { root, startEngine, storyOf, type TestEngine } from "./support/engine.ts";
import { writePdf } from "./support/pdf.ts";

// "It did not read my document": whatever is kept, all of every document reaches the model, in each turn and after a restart.

const [layers, heads] = [30, 3];
const sampling = { maxTokens: 8 };

/** Twelve pages with a code each. */
const codeOf = (page: number) => 100_000 + ((page * 79_193) % 900_000);
const codes = Array.from({ length: 12 }, (_, index) => [`The code for page ${index + 1} is ${codeOf(index + 1)}.`]);
/** Twenty-three facts on eight pages. */
const factOf = (number: number) => `Fact ${number}: pier ${number} has ${(number * 37) % 90} lamps.`;
const facts = Array.from({ length: 8 }, (_, page) => [1, 2, 3].map((row) => 3 * page + row).filter((number) => number <= 23)).map(
  (numbers) => numbers.map(factOf),
);

let folder: string;
let app: TestEngine;
let ids: string[];
const paths: string[] = [];
const start = (of?: string) =>
  startEngine(
    { contextLength: 2048 },
    {
      moduleFolders: [join(root, "assets", "lookahead")],
      snapshotFolder: join(folder, "snapshots"),
      ...(of === undefined ? {} : { folder: of }),
    },
  );
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight-whole-"));
  app = await start();
  paths.push(await writePdf(join(folder, "codes.pdf"), codes), await writePdf(join(folder, "facts.pdf"), facts));
  ids = [];
  for (const path of paths) ids.push((await app.call("openDocument", { path })).id);
}, 120_000);
afterAll(async () => {
  await app.dispose();
  await rm(folder, { recursive: true, force: true });
});

const choices = (documentIds: readonly string[]) => documentIds.map((documentId) => ({ documentId, pages: null }));
const question = "Summarise these documents.";
const draw = (budget: number, policy: ChoosingPolicy = "lookahead"): Promise<Heatmap> =>
  app.call("heatmap", { documents: choices(ids), question, budget, policy, seed: 1 });
const pagesOf = ({ parts }: Heatmap, documentId: string) => parts.filter((part) => part.documentId === documentId);

describe("a question about everything", () => {
  test("has every page before it, and a score for every fact", async () => {
    const drawn = await draw(90);
    const [codePages, factPages] = ids.map((id) => pagesOf(drawn, id));
    expect(codePages?.map((part) => part.page)).toEqual(codes.map((_, index) => index + 1));
    for (const [index, part] of (codePages ?? []).entries()) expect(part.text).toContain(codes[index]?.[0]);
    expect(drawn.documents.map(({ tokens }) => tokens)).toEqual(
      ids.map((id) => pagesOf(drawn, id).reduce((sum, part) => sum + part.tokens, 0)),
    );

    for (let number = 1; number <= 23; number++) {
      const fact = factOf(number);
      const [found, ...others] = factPages?.filter((part) => part.text.includes(fact)) ?? [];
      if (found === undefined) throw new Error(`“${fact}” is not there`);
      expect(others).toEqual([]);
      const { text, firstToken, tokens } = found;
      const from = text.indexOf(fact);
      const own = Array.from({ length: tokens }, (_, index) => firstToken + index).filter((token) => {
        const at = drawn.starts[token] ?? 0;
        return at >= from && at < from + fact.length;
      });
      expect(own.length, fact).toBeGreaterThan(8);
      for (const token of own) expect(drawn.scores[token], fact).toBeGreaterThan(0);
    }
  });

  test.each(["lookahead", "streamingllm", "random"] as const)(
    "is kept by %s in every head, as far as half a budget holds it",
    async (policy) => {
      const refused: unknown = await draw(1, policy).catch((error) => error);
      const least = Number(/at least (\d+)/.exec(refused instanceof Error ? refused.message : "")?.[1]);
      expect(least).toBeLessThan(40);
      for (const budget of [least, 90, 400]) {
        const drawn = await draw(budget, policy);
        const asked = drawn.parts.find((part) => part.kind === "question");
        const [begin = 0, end = 0] = [asked?.firstToken, (asked?.firstToken ?? 0) + (asked?.tokens ?? 0)];
        expect(drawn.promptTokens - begin).toBeLessThan(45);
        // The template's tail in any case.
        const from = budget === least ? end : begin;
        for (const token of [0, 1, 2, 3]) expect(drawn.kept[token]).toBe(layers * heads);
        for (let token = from; token < drawn.promptTokens; token++) expect(drawn.kept[token], `${budget}: ${token}`).toBe(layers * heads);
        expect(drawn.kept.reduce((sum, count) => sum + count, 0)).toBe(budget * layers * heads);
        // What is not kept was read all the same.
        expect(pagesOf(drawn, ids[0] ?? "")[0]?.text).toContain(codes[0]?.[0]);
      }
    },
  );
});

describe("a conversation", () => {
  test("has the documents and their names in each turn, and reads only what is new", async () => {
    const conversationId = await app.converse(ids);
    const questions = ["What is the code for page 3?", "What is the code for page 11?", "Which files are these?"];
    const turns = [];
    for (const asked of questions) turns.push(await app.ask(conversationId, asked, { sampling }));
    const [first, second, third] = turns.map(({ figures }) => figures);
    for (const figures of [first, second, third]) {
      expect(figures?.documents.map(({ documentId }) => documentId)).toEqual(ids);
      expect(figures?.documents).toEqual(first?.documents);
      expect(figures?.documentTokens).toBe(first?.documentTokens);
    }
    expect(third?.cachedTokens).toBeGreaterThan(0.95 * (second?.promptTokens ?? Number.NaN));
    const measured = await app.call("measurePrompt", {
      conversationId,
      documents: choices(ids),
      question: questions[2] ?? "",
      replaceTurnId: turns[2]?.turn.id ?? null,
      maxTokens: 8,
    });
    expect(measured.promptTokens).toBe(third?.promptTokens);
    const named = (await draw(90)).parts.filter((part) => part.kind === "instruction").map((part) => part.text);
    for (const name of ["codes.pdf", "facts.pdf"]) expect(named.join()).toContain(`“${name}”`);
  });

  test("about four documents is about all four after a restart, or says which is missing; pins and figures are there", async () => {
    const all = [...ids];
    for (const name of ["third.txt", "fourth.txt"]) all.push((await app.openText(name, `This is ${name}. ${storyOf(40, name)}`)).id);
    paths.push(join(app.folder, "third.txt"), join(app.folder, "fourth.txt"));
    const conversationId = await app.converse(all);
    const pins = await app.call("findPassages", { documents: choices(all), text: factOf(7) });
    await app.call("setPins", { conversationId, pins });
    const once = { policy: "lookahead", mode: "once", sampling } as const;
    await app.ask(conversationId, "What is the code for page 2?", { ...once, budget: 96 });
    const { figures } = await app.ask(conversationId, "And for page 11?", { ...once, budget: 128 });
    expect(figures).toMatchObject({ scoredFor: "document", startedOver: "choice", evictions: 1 });
    const before = await app.call("getConversation", { conversationId });

    await app.engine.dispose();
    app = await start(app.folder);
    expect(await app.call("getConversation", { conversationId })).toEqual(before);
    expect(before).toMatchObject({ pins, turns: [{}, { figures: { startedOver: "choice", evictions: 1 } }] });
    for (const path of paths) {
      await expect(app.ask(conversationId, "Which files are these?", { sampling })).rejects.toMatchObject({ code: "document-unknown" });
      await app.call("openDocument", { path });
    }
    const after = (await app.ask(conversationId, "Which files are these?", { sampling })).figures;
    expect(after.documents.map(({ documentId }) => documentId)).toEqual(all);
    expect(after.documentTokens).toBe(figures.documentTokens);
    expect(after.restoredTokens).toBeGreaterThan(500);
  });
});
