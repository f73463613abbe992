import { describe, expect, it } from "vitest";
import type { CacheMode } from "../../../../electron/contract/conversation.ts";
import type { Pin } from "../../../../electron/contract/pin.ts";
import { assemblePrompt } from "../../../../electron/engine/conversation/assemble.ts";
import { findPassages, listPins, plannedPrompt, refusePins } from "../../../../electron/engine/conversation/pins.ts";
import type { PromptDocument, PromptPart } from "../../../../electron/engine/conversation/prompt.ts";
import type { OpenedDocument } from "../../../../electron/engine/documents/documents.ts";
import { createOpenDocuments, type OpenDocuments } from "../../../../electron/engine/documents/openDocuments.ts";
import { planEviction } from "../../../../electron/engine/lookahead/plan.ts";

const [idA, idB] = ["a".repeat(64), "b".repeat(64)];
const texts = { [idA]: ["Page one of A.", "The seal is on page two."], [idB]: ["Only a page. The seal is here too."] };

/** Three units for each token, and what is left for the last one. */
const tokenise = async ({ text }: PromptPart) => {
  const bytes = Uint32Array.from({ length: Math.ceil(text.length / 3) }, (_, token) => Math.min(3, text.length - 3 * token));
  return { tokens: bytes.map((_, token) => token), bytes };
};
const render = (messages: readonly { role: string; content: string }[]) => `${messages.map(({ content }) => `<${content}>`).join("")}!`;

async function opened(): Promise<OpenDocuments> {
  const documents = createOpenDocuments({
    open: async ({ path }): Promise<OpenedDocument> => {
      const pages = (texts[path] ?? []).map((text, index) => ({
        page: index + 1,
        characters: text.length,
        flags: [],
        width: 1,
        height: 1,
        text,
      }));
      return { id: path, name: `${path[0] ?? ""}.txt`, path, kind: "text", bytes: 1, locked: false, notices: [], characters: 1, pages };
    },
    pageText: () => Promise.reject(new Error("not asked for")),
    thumbnail: () => Promise.resolve(null),
    recognise: () => Promise.reject(new Error("nothing to recognise")),
    dispose: async () => undefined,
  });
  for (const id of [idA, idB]) await documents.open(id, undefined, new AbortController().signal);
  return documents;
}

const both = [idA, idB].map((documentId) => ({ documentId, pages: null }));
const pinOf = (documentId: string, page: number, start: number, end: number): Pin => ({ documentId, page, start, end });

async function plan(
  choices: readonly { documentId: string; pages: number[] | null }[],
  pins: readonly Pin[],
  mode: CacheMode = "question",
) {
  const documents: PromptDocument[] = (await opened()).forPrompt(choices);
  const prompt = await assemblePrompt({ render, tokenise, model: { firstToken: null } }, { documents, turns: [], question: "Why?" });
  return { prompt, planned: plannedPrompt(prompt, documents, { pins, share: "even", mode }) };
}

describe("a pin in a prompt", () => {
  it("is the tokens that its characters touch, the page's number counted", async () => {
    const pins = [pinOf(idA, 2, 4, 8), pinOf(idB, 1, 0, 4)];
    const { prompt, planned } = await plan(both, pins);
    const textOf = (range: { start: number; end: number } | undefined) => {
      const piece = prompt.pieces.find(({ firstToken, tokenised }) => (range?.start ?? 0) < firstToken + tokenised.tokens.length);
      const from = (range?.start ?? 0) - (piece?.firstToken ?? 0);
      return piece?.part.text.slice(3 * from, 3 * (from + (range?.end ?? 0) - (range?.start ?? 0)));
    };
    // "[Page 2]\nThe seal is": tokens of three units from there on.
    expect(textOf(planned.pinned?.[0])).toBe(" seal ");
    expect(textOf(planned.pinned?.[1])).toBe("Only a");
    const eviction = planEviction({ policy: "snapkv", budget: 48 }, planned, null, 0);
    for (const { start, end } of planned.pinned ?? []) {
      for (let token = start; token < end; token++) expect(eviction?.protectedTokens).toContain(token);
    }
  });

  it("stands beside the whole question where evictions come before that is read", async () => {
    const pins = [pinOf(idA, 2, 4, 8)];
    for (const mode of ["once", "streaming"] as const) {
      const { prompt, planned } = await plan(both, pins, mode);
      const eviction = planEviction({ policy: "snapkv", budget: 48 }, planned, null, 0);
      expect(eviction?.pinned).toEqual(planned.pinned);
      expect(eviction?.protectedTokens).toContain(planned.pinned?.[0]?.start);
      expect(eviction?.protectedTokens).toContain(prompt.questionStart);
    }
  });

  it("that leaves too little of the budget is refused with the least that works", async () => {
    const { planned } = await plan(both, [pinOf(idA, 1, 0, 14), pinOf(idA, 2, 0, 24)]);
    expect(() => planEviction({ policy: "streamingllm", budget: 8 }, planned, null, 0)).toThrow(
      /in pinned passages.*at least \d+, or unpin/s,
    );
  });

  it("on a page that is not chosen, beyond its text, or of another document says so", async () => {
    await expect(plan([{ documentId: idA, pages: [1] }], [pinOf(idA, 2, 0, 3)])).rejects.toThrow(/page 2 of “a.txt”.*not chosen/);
    await expect(plan(both, [pinOf(idA, 3, 0, 3)])).rejects.toThrow(/has 2 pages/);
    await expect(plan(both, [pinOf(idA, 1, 0, 15)])).rejects.toThrow(/beyond the page's text, which has 14 characters/);
    await expect(plan([{ documentId: idA, pages: null }], [pinOf(idB, 1, 0, 3)])).rejects.toMatchObject({ code: "usage" });
    const documents = await opened();
    expect(() => refusePins(documents, both, [pinOf(idA, 1, 0, 14), pinOf(idB, 2, 0, 1)])).toThrow(/“b.txt”/);
    refusePins(documents, both, [pinOf(idA, 1, 0, 14)]);
  });

  it("is listed with its words, or with what is in its way", async () => {
    const listed = listPins(
      await opened(),
      [{ documentId: idA, pages: [2] }],
      [pinOf(idA, 2, 4, 8), pinOf(idA, 1, 0, 4), pinOf(idB, 1, 0, 4)],
    );
    expect(listed.map(({ text }) => text)).toEqual(["seal", null, null]);
    expect(listed.map(({ problem }) => problem === null)).toEqual([true, false, false]);
  });
});

describe("findPassages", () => {
  it("tells each place on the chosen pages, in the documents' order", async () => {
    const documents = await opened();
    expect(findPassages(documents, both, "The seal")).toEqual([pinOf(idA, 2, 0, 8), pinOf(idB, 1, 13, 21)]);
    expect(findPassages(documents, [{ documentId: idA, pages: [1] }], "The seal")).toEqual([]);
  });
});
