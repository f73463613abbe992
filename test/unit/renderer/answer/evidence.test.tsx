import { afterEach, expect, test } from "vitest";
import { TurnView } from "../../../../renderer/answer/TurnView.tsx";
import { createDesk, type Desk, figures, idOf, summaryOf, turnOf } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

const sentenceOf = (letter: string, page: number, text: string) => ({ documentId: idOf(letter), page, start: 10, end: 20, text });
const shown = (evidence: ReturnType<typeof sentenceOf>[]): string => {
  const turn = turnOf("t1", { status: "done", answer: "So.", figures: { ...figures, evidence } });
  return show(desk.session, <TurnView turn={turn} versions={[]} busy={false} stopping={false} />);
};

test("the sentences that were looked at stand under the answer, each with its page and its words", () => {
  desk = createDesk();
  desk.session.stores.documents.setState({ open: { [idOf("a")]: summaryOf("a") } });
  const markup = shown([sentenceOf("a", 3, "At most 3 A while charging.")]);
  expect(markup).toContain("Looked at");
  expect(markup).toMatch(/<button[^>]*aria-label="p\. 3: At most 3 A while charging\."[^>]*><span[^>]*>p\. 3<\/span><\/button>/);
});

test("of several documents each chip says which; what is not open cannot be shown, and says so", () => {
  desk = createDesk();
  desk.session.stores.documents.setState({ open: { [idOf("a")]: summaryOf("a") } });
  const markup = shown([sentenceOf("a", 3, "One."), sentenceOf("b", 1, "Two.")]);
  // The name may be cut, the page not.
  expect(markup).toMatch(
    /aria-label="a\.pdf, p\. 3: One\."[^>]*><span class="truncate">a\.pdf<\/span>,\u00a0<span class="evidence-page">p\. 3<\/span>/,
  );
  expect(markup).toMatch(/<button[^>]*aria-label="p\. 1: Two\. \(this document is not open here\)"[^>]*disabled=""/);
});

test("of two sentences of one page each chip shows its words, of others it does not", () => {
  desk = createDesk();
  desk.session.stores.documents.setState({ open: { [idOf("a")]: summaryOf("a") } });
  const markup = shown([sentenceOf("a", 3, "One."), { ...sentenceOf("a", 3, "Two."), start: 30 }, sentenceOf("a", 4, "Three.")]);
  expect([...markup.matchAll(/<span class="truncate evidence-words"[^>]*>([^<]*)<\/span>/g)].map(([, words]) => words)).toEqual([
    "One.",
    "Two.",
  ]);
});

test("an answer without any says nothing of it", () => {
  desk = createDesk();
  expect(shown([])).not.toContain("Looked at");
});
