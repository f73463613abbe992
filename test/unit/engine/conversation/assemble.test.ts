import { describe, expect, it } from "vitest";
import {
  type AssembledPrompt,
  assemblePrompt,
  measure,
  refuseTooLong,
  refuseUnscorable,
} from "../../../../electron/engine/conversation/assemble.ts";
import { documentSpans, keptOfDocuments } from "../../../../electron/engine/conversation/documentSpans.ts";
import type { PromptPart, PromptRequest } from "../../../../electron/engine/conversation/prompt.ts";
import type { Render } from "../../../../electron/engine/conversation/template.ts";

const chatml: Render = (messages) => `${messages.map(({ role, content }) => `<${role}>${content}</>`).join("")}<assistant>`;

/** A model whose tokens are the text's UTF-16 units. */
function model(firstToken: number | null) {
  const seen: PromptPart[] = [];
  return {
    seen,
    model: { firstToken },
    render: chatml,
    tokenise: async (part: PromptPart) => {
      seen.push(part);
      const tokens = Uint32Array.from({ length: part.text.length }, (_, index) => part.text.charCodeAt(index));
      return { tokens, bytes: new Uint32Array(tokens.length).fill(1) };
    },
  };
}

const [idA, idB] = ["a".repeat(64), "b".repeat(64)];
const request: PromptRequest = {
  documents: [
    { documentId: idA, name: "A", pageCount: 2, pages: [1, 2].map((page) => ({ documentId: idA, page, text: "x".repeat(page * 10) })) },
    { documentId: idB, name: "B", pageCount: 1, pages: [{ documentId: idB, page: 1, text: "only" }] },
  ],
  turns: [{ question: "Earlier?", answer: "Yes." }],
  question: "Why?",
};

const textOf = (prompt: AssembledPrompt) => String.fromCharCode(...prompt.tokens);

describe("assemblePrompt", () => {
  it("sets the parts' tokens one after another and counts what belongs to what", async () => {
    const loaded = model(null);
    const prompt = await assemblePrompt(loaded, request);
    expect(textOf(prompt)).toBe(loaded.seen.map((part) => part.text).join(""));
    expect(prompt.questionTokens).toBe("Question: ".length + 4);
    expect(textOf(prompt).slice(prompt.questionStart, prompt.tailStart)).toBe("Question: Why?");
    const pageTokens = (documentId: string) =>
      loaded.seen.reduce((sum, part) => sum + (part.kind === "page" && part.documentId === documentId ? part.text.length : 0), 0);
    expect([...prompt.documentTokens]).toEqual([
      [idA, pageTokens(idA)],
      [idB, pageTokens(idB)],
    ]);
  });

  it("begins with the model's first token, once", async () => {
    const begin = 1;
    const prompt = await assemblePrompt(model(begin), request);
    expect(prompt.tokens[0]).toBe(begin);
    expect(String.fromCharCode(...prompt.tokens.subarray(1))).toBe(textOf(await assemblePrompt(model(null), request)));
    // The template has written it already: "<" begins this one.
    expect(textOf(await assemblePrompt(model("<".charCodeAt(0)), request)).startsWith("<system>")).toBe(true);
  });

  it("tells how far it is, and goes no further when it is given up", async () => {
    const loaded = model(null);
    const told: [number, number][] = [];
    await assemblePrompt(loaded, request, { onPart: (done, total) => told.push([done, total]) });
    const total = loaded.seen.length;
    expect(told).toEqual(Array.from({ length: total }, (_, index) => [index + 1, total]));

    const given = model(null);
    await assemblePrompt(given, request, { isCancelled: () => given.seen.length >= 3 });
    expect(given.seen).toHaveLength(3);
  });
});

describe("measure", () => {
  const prompt = (tokens: number): AssembledPrompt => ({
    tokens: new Uint32Array(tokens),
    documentTokens: new Map([
      [idA, 500],
      [idB, 100],
    ]),
    questionTokens: 20,
    documentEnd: 0,
    questionStart: 0,
    tailStart: 0,
    pieces: [],
  });

  it("tells documents, question and the rest apart, and they come to the whole", () => {
    expect(measure(prompt(700), 1024, 200)).toEqual({
      documents: [
        { documentId: idA, tokens: 500 },
        { documentId: idB, tokens: 100 },
      ],
      documentTokens: 600,
      questionTokens: 20,
      otherTokens: 80,
      promptTokens: 700,
      contextLength: 1024,
      answerRoom: 200,
      fits: true,
    });
  });

  it.each([
    // prompt, longest answer, fits, room there is (or should be)
    [1024 - 128, 512, true, 128],
    [1024 - 127, 512, false, 512],
    [1024 - 50, 50, true, 50],
    [1024 - 49, 50, false, 50],
    [1024, 1, false, 1],
    [5000, 512, false, 512],
  ])("of %i tokens in 1,024 with answers of up to %i: fits %s, room %i", (tokens, maxTokens, fits, answerRoom) => {
    expect(measure(prompt(tokens), 1024, maxTokens)).toMatchObject({ fits, answerRoom });
  });
});

describe("refuseUnscorable", () => {
  it("lets rows fill the context to the last position and refuses one more, with the numbers", async () => {
    const prompt = await assemblePrompt(model(null), request);
    const length = prompt.tokens.length;
    // An answer of one token would fit in both.
    expect(() => refuseUnscorable(measure(prompt, length + 32, 1), 32)).not.toThrow();
    const tight = measure(prompt, length + 31, 1);
    expect(tight.fits).toBe(true);
    expect(() => refuseUnscorable(tight, 32)).toThrow(new RegExp(`${length} tokens and scoring it takes 32 more.*holds ${length + 31}`));
    expect(() => refuseUnscorable(measure(prompt, length, 1), 0)).not.toThrow();
  });
});

describe("documents in a prompt", () => {
  it("are spans of tokens, in order, without what stands between them", async () => {
    const prompt = await assemblePrompt(model(null), request);
    const spans = documentSpans(prompt);
    expect(spans.map(({ documentId }) => documentId)).toEqual([idA, idB]);
    for (const { documentId, start, end } of spans) {
      expect(end - start).toBe(prompt.documentTokens.get(documentId));
      expect(textOf(prompt).slice(start, end)).toMatch(documentId === idA ? /^\[Page 1\]\nx+\s+\[Page 2\]\nx+\s+$/ : /^only\s+$/);
    }
    // One that was added twice has its own tokens each time.
    const [a] = request.documents;
    const twice = await assemblePrompt(model(null), { ...request, documents: a === undefined ? [] : [a, a] });
    expect(documentSpans(twice)).toHaveLength(2);
    expect(documentSpans({ pieces: [] })).toEqual([]);
  });

  it("have what is kept of them counted per layer and head", () => {
    const kept = { layers: 1, heads: 2, tokens: 6, budgets: Uint32Array.of(3), indices: Uint32Array.of(0, 1, 4, 0, 3, 4) };
    const spans = [
      { documentId: idA, start: 1, end: 4 },
      { documentId: idB, start: 4, end: 6 },
    ];
    expect(keptOfDocuments(spans, kept)).toEqual([
      { documentId: idA, tokens: 3, keptTokens: 1 },
      { documentId: idB, tokens: 2, keptTokens: 1 },
    ]);
  });

  it("that are too long together are told by name, with the tokens of each", async () => {
    const prompt = await assemblePrompt(model(null), request);
    const measured = measure(prompt, 64, 32);
    expect(() => refuseTooLong(measured, true, request.documents)).toThrow(/\(documents \d+: “A” \d+, “B” \d+, question/);
    // One document needs no name.
    expect(() => refuseTooLong({ ...measured, documents: measured.documents.slice(1) }, true, request.documents)).toThrow(
      /\(documents \d+, question/,
    );
  });
});
