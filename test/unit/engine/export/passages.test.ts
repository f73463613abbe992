import { describe, expect, it } from "vitest";
import { passagesOf } from "../../../../electron/engine/export/passages.ts";
import { heatmapOf } from "../../cli/heatmap/support.ts";

describe("passagesOf", () => {
  it("shows pages and the question, without what the prompt put around a page", () => {
    const heatmap = heatmapOf(
      [
        { kind: "control", pieces: ["<user>"] },
        { kind: "instruction", pieces: ["Document:\n\n"] },
        { kind: "page", document: "a", page: 2, prefix: "[Page 2]\n", pieces: ["[Page", " 2", "]\n", "The", " code", "\n\n"] },
        { kind: "question", pieces: ["Why", "?"] },
        { kind: "control", pieces: ["<end>"] },
      ],
      { begin: 1, scores: (token) => token / 16, kept: (token) => token, always: [0, 7] },
    );
    const [page, question, ...more] = passagesOf(heatmap);
    expect(more).toEqual([]);
    expect(page).toMatchObject({ kind: "page", page: 2, text: "The code" });
    expect(page?.cells).toEqual([
      { start: 0, end: 3, token: 6, tokens: 1, score: 6 / 16, kept: 6, always: false },
      { start: 3, end: 8, token: 7, tokens: 1, score: 7 / 16, kept: 7, always: true },
    ]);
    expect(question).toMatchObject({ kind: "question", documentId: null, page: null, text: "Why?" });
    expect(question?.cells.map(({ token }) => token)).toEqual([9, 10]);
  });

  it("cuts tokens that are only half the page's own", () => {
    const pieces = ["[Page 1", "]\nThe", " end.\n", "\n"];
    const [page] = passagesOf(heatmapOf([{ kind: "page", document: "a", page: 1, prefix: "[Page 1]\n", pieces }]));
    expect(page?.text).toBe("The end.");
    expect(page?.cells.map(({ start, end, token }) => [start, end, token])).toEqual([
      [0, 3, 1],
      [3, 8, 2],
    ]);
  });

  it("joins the tokens that share a character and takes the best of them", () => {
    const scores = [0.1, 0.2, 0.9, 0.3, 0.4];
    const heatmap = heatmapOf([{ kind: "page", document: "a", page: 1, pieces: ["a", "", "", "🚀", "b"] }], {
      scores: (token) => scores[token] ?? 0,
      kept: (token) => [1, 5, 2, 3, 4][token] ?? 0,
      always: [3],
    });
    expect(passagesOf(heatmap)[0]?.cells).toMatchObject([
      { start: 0, end: 1, token: 0, tokens: 1, kept: 1, always: false },
      { start: 1, end: 3, token: 1, tokens: 3, score: Math.fround(0.9), kept: 5, always: true },
      { start: 3, end: 4, token: 4, tokens: 1, kept: 4, always: false },
    ]);
  });
});
