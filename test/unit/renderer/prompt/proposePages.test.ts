import { describe, expect, test } from "vitest";
import type { DocumentSummary } from "../../../../electron/contract/document.ts";
import { proposePages } from "../../../../renderer/prompt/proposePages.ts";
import { idOf, measureOf, summaryOf } from "../fakeEngine.ts";

/** A document whose pages come to these tokens. */
function documentOf(letter: string, tokens: readonly number[]): DocumentSummary {
  const pages = tokens.map((count, index) => ({
    page: index + 1,
    characters: 400,
    tokens: count,
    flags: [],
    width: 595,
    height: 842,
  }));
  return summaryOf(letter, { pages, tokens: tokens.reduce((sum, count) => sum + count, 0) });
}

const whole = (letter: string) => ({ documentId: idOf(letter), pages: null });

/** A measure of documents of these tokens, with 24 tokens besides and 100 for the answer. */
function tooLong(contextLength: number, documents: Readonly<Record<string, number>>) {
  const entries = Object.entries(documents).map(([letter, tokens]) => ({ documentId: idOf(letter), tokens }));
  const documentTokens = entries.reduce((sum, entry) => sum + entry.tokens, 0);
  return measureOf({
    documents: entries,
    documentTokens,
    questionTokens: 4,
    otherTokens: 20,
    promptTokens: documentTokens + 24,
    contextLength,
    answerRoom: 100,
    fits: false,
  });
}

describe("pages proposed for what does not fit", () => {
  test("are as many first pages as their own tokens leave room for", () => {
    // The same characters on each page: only the tokens tell them apart.
    const document = documentOf("a", [500, 300, 10, 10]);
    expect(proposePages([whole("a")], [document], tooLong(924, { a: 820 }))).toEqual([{ documentId: idOf("a"), pages: [1, 2] }]);
    expect(proposePages([whole("a")], [document], tooLong(923, { a: 820 }))).toEqual([{ documentId: idOf("a"), pages: [1] }]);
  });

  test("leave out what pages of other documents, chosen already, take", () => {
    const chosen = { documentId: idOf("b"), pages: [3, 4] };
    const proposed = proposePages(
      [whole("a"), chosen],
      [documentOf("a", [200, 200, 200]), documentOf("b", [9, 9, 150, 150])],
      tooLong(624, { a: 600, b: 300 }),
    );
    expect(proposed).toEqual([{ documentId: idOf("a"), pages: [1] }, chosen]);
  });

  test("are shared by length, and what is left over is used", () => {
    const proposed = proposePages(
      [whole("a"), whole("b")],
      [documentOf("a", [100, 100, 100, 100]), documentOf("b", [90, 90])],
      tooLong(424, { a: 400, b: 180 }),
    );
    expect(proposed).toEqual([
      { documentId: idOf("a"), pages: [1, 2] },
      { documentId: idOf("b"), pages: [1] },
    ]);
  });

  test("begin with a page of each, however short one is beside another", () => {
    const proposed = proposePages(
      [whole("a"), whole("b")],
      [
        documentOf("a", [200, 200]),
        documentOf(
          "b",
          Array.from({ length: 50 }, () => 100),
        ),
      ],
      tooLong(824, { a: 400, b: 5000 }),
    );
    expect(proposed).toEqual([
      { documentId: idOf("a"), pages: [1] },
      { documentId: idOf("b"), pages: [1, 2, 3, 4, 5] },
    ]);
    const noRoom = proposePages(
      [whole("a"), whole("b")],
      [documentOf("a", [200, 200]), documentOf("b", [100])],
      tooLong(423, { a: 400, b: 100 }),
    );
    expect(noRoom).toBeNull();
  });

  test("are none where not even one page fits, or nothing was counted", () => {
    expect(proposePages([whole("a")], [documentOf("a", [500, 5])], tooLong(600, { a: 505 }))).toBeNull();
    const uncounted = summaryOf("a", { pages: documentOf("a", [1, 1]).pages.map((page) => ({ ...page, tokens: null })) });
    expect(proposePages([whole("a")], [uncounted], tooLong(600, { a: 505 }))).toBeNull();
  });

  test("are what is taken now where that fits", () => {
    const documents = [{ documentId: idOf("a"), pages: [2] }];
    expect(proposePages(documents, [documentOf("a", [5, 5])], measureOf())).toEqual(documents);
  });
});
