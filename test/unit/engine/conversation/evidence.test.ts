import { expect, test } from "vitest";
import { mostEvidenceCharacters } from "../../../../electron/contract/evidence.ts";
import { evidenceOf } from "../../../../electron/engine/conversation/evidence.ts";

const pageIds = ["a".repeat(64), "b".repeat(64)];
/** A prompt of one token for each piece. */
function promptOf(pages: readonly { documentId: string; page: number; pieces: readonly string[] }[]) {
  const encoder = new TextEncoder();
  let at = 0;
  const pieces = pages.map(({ documentId, page, pieces: words }) => {
    const firstToken = at;
    at += words.length;
    return {
      part: { kind: "page", documentId, page, text: words.join("") } as const,
      tokenised: { tokens: new Uint32Array(words.length), bytes: Uint32Array.from(words, (word) => encoder.encode(word).length) },
      firstToken,
    };
  });
  return { tokens: new Uint32Array(at), pieces };
}
const documents = pageIds.map((documentId) => ({ documentId, name: "a.txt", pageCount: 1, pages: [] }));
const none = { protectedTokens: new Uint32Array(0) };

test("the best sentences come first, at most four, with their places on their pages", async () => {
  const first = ["One is low here.", " Two is the best.", " Three is in between.", " Four is third here."];
  const second = ["Five is fourth here.", " Six is the last."];
  const [one = "", other = ""] = pageIds;
  const prompt = promptOf([
    { documentId: one, page: 1, pieces: first },
    { documentId: other, page: 1, pieces: second },
  ]);
  const found = await evidenceOf(prompt, documents, none, Float32Array.of(0.1, 0.9, 0.8, 0.7, 0.6, 0.05));
  expect(found.map(({ documentId, text }) => [documentId, text])).toEqual([
    [one, "Two is the best."],
    [one, "Three is in between."],
    [one, "Four is third here."],
    [other, "Five is fourth here."],
  ]);
  expect(found[0]).toMatchObject({ page: 1, start: 16, end: 33 });
});

test("what is always kept, or has no score, is no evidence", async () => {
  const [documentId = ""] = pageIds;
  const prompt = promptOf([{ documentId, page: 1, pieces: ["Always kept it is.", " Scored it is not."] }]);
  expect(await evidenceOf(prompt, documents, { protectedTokens: Uint32Array.of(0) }, Float32Array.of(0.9, 0))).toEqual([]);
});

test("of a page without an end of a sentence only the beginning is told, without half a character", async () => {
  const [documentId = ""] = pageIds;
  const text = `${"x".repeat(mostEvidenceCharacters - 1)}🙂${"y".repeat(50)}`;
  const prompt = promptOf([{ documentId, page: 1, pieces: [text] }]);
  const [found] = await evidenceOf(prompt, documents, none, Float32Array.of(0.5));
  expect(found).toMatchObject({ start: 0, end: text.length, text: `${"x".repeat(mostEvidenceCharacters - 1)}…` });
});
