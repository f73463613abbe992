import { afterEach, expect, test } from "vitest";
import type { AnswerFigures } from "../../../../electron/contract/conversation.ts";
import { LibraryPane } from "../../../../renderer/documents/LibraryPane.tsx";
import { createDesk, type Desk, eventually, figures, idOf, turnOf, usage } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

async function started(): Promise<void> {
  desk = createDesk();
  await desk.session.start();
  await desk.session.conversations.openFiles(["/files/a.pdf", "/files/b.pdf"]);
  await eventually(() => expect(desk.session.stores.documents.getState().library).toHaveLength(2));
}

/** Words about each document. */
const facts = (): string[] =>
  [...show(desk.session, <LibraryPane />).matchAll(/class="library-facts">(.*?)<\/span>/g)]
    .map(([, words = ""]) => words.replaceAll("\u00a0", " "))
    .filter((words) => words.includes("page"));

function answered(change: Partial<AnswerFigures>): void {
  desk.session.stores.conversations.setState(({ current }) => ({
    current: current && { ...current, turns: [turnOf("t1", { status: "done", figures: { ...figures, ...change } })] },
  }));
}

const documents = [
  { documentId: idOf("a"), tokens: 400, keptTokens: 41.5 },
  { documentId: idOf("b"), tokens: 400, keptTokens: 0 },
];

test("a document's tokens, and what the last answer kept of them", async () => {
  await started();
  expect(facts()).toEqual(["4 pages · 400 tokens", "4 pages · 400 tokens"]);
  answered({ budget: 64, keptTokens: 64, documents });
  expect(facts()).toEqual(["4 pages · 400 tokens · kept 42 per head", "4 pages · 400 tokens · kept 0 per head"]);
});

test("where everything was kept there is nothing to say of it", async () => {
  await started();
  answered({ documents: documents.map((document) => ({ ...document, keptTokens: document.tokens })) });
  expect(facts()).toEqual(["4 pages · 400 tokens", "4 pages · 400 tokens"]);
});

test("what is stored of a document, where there is something", async () => {
  await started();
  desk.session.stores.snapshots.setState({
    usage: { ...usage, totalBytes: 212e6, documents: [{ documentId: idOf("b"), name: "b.pdf", bytes: 212e6, usedAt: 1 }] },
  });
  expect(facts()).toEqual(["4 pages · 400 tokens", "4 pages · 400 tokens · 212 MB stored"]);
});

test("tokens of a document that is not open, as the loaded model counted them last", async () => {
  await started();
  const { documents } = desk.session.stores;
  documents.setState(({ library }) => ({
    open: {},
    library: library.map((entry, index) => ({ ...entry, tokens: { count: 1234, model: index === 0 ? "small" : "another" } })),
  }));
  expect(facts()).toEqual(["4 pages · 1,234 tokens", "4 pages"]);
});

test("many documents can be searched", async () => {
  await started();
  expect(show(desk.session, <LibraryPane />)).not.toContain("Search documents");
  desk.session.stores.documents.setState(({ library }) => ({ library: [...library, ...library] }));
  expect(show(desk.session, <LibraryPane />)).toContain("Search documents");
});
