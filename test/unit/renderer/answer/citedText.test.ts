import { expect, test } from "vitest";
import type { Citation } from "../../../../electron/contract/export.ts";
import { citedText } from "../../../../renderer/answer/citedText.ts";
import { idOf } from "../fakeEngine.ts";

const words = {
  page: (pages: string) => `p. ${pages}`,
  source: (name: string, pages: string | null) => (pages === null ? name : `${name}, ${pages}`),
};
const page = (letter: string, number: number, pageCount = 9) => ({
  documentId: idOf(letter),
  name: `${letter}.pdf`,
  page: number,
  pageCount,
});
const answer = "At most 3 A. More in bursts. Thanks.";
const citations: Citation[] = [
  { start: 0, end: 12, pages: [page("a", 87), page("a", 12)] },
  { start: 13, end: 28, pages: [page("a", 12)] },
];

test("pages stand behind the sentences and at the end by document", () => {
  expect(citedText(answer, citations, words)).toBe("At most 3 A. (p. 12, 87) More in bursts. (p. 12) Thanks.\n\na.pdf, p. 12, 87");
});

test("of several documents the name stands with the page; one of a single page has no number", () => {
  const [first, second] = citations;
  if (first === undefined || second === undefined) throw new Error("two are there");
  const mixed = [first, { ...second, pages: [page("b", 1, 1)] }];
  expect(citedText(answer, mixed, words)).toBe(
    "At most 3 A. (a.pdf, p. 12, 87) More in bursts. (b.pdf) Thanks.\n\na.pdf, p. 12, 87\nb.pdf",
  );
  const single = [{ ...second, pages: [page("b", 1, 1)] }];
  expect(citedText(answer, single, words)).toBe(`${answer}\n\nb.pdf`);
});

test("code is not written into, and without pages nothing is added", () => {
  expect(citedText("```\nx = 1\n```", [{ start: 4, end: 9, pages: [page("a", 2)] }], words)).toBe("```\nx = 1\n```\n\na.pdf, p. 2");
  expect(citedText(answer, [], words)).toBe(answer);
});
