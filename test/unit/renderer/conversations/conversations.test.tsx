import { afterEach, describe, expect, test } from "vitest";
import { ConversationPane } from "../../../../renderer/answer/ConversationPane.tsx";
import { LibraryPane } from "../../../../renderer/documents/LibraryPane.tsx";
import { createDesk, type Desk, eventually, figures, idOf, turnOf } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

async function started(handlers: Parameters<typeof createDesk>[0] = {}): Promise<Desk["session"]> {
  desk = createDesk(handlers);
  await desk.session.start();
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
  return desk.session;
}

const current = () => desk.session.stores.conversations.getState().current;
const currentDocuments = () => current()?.documents.map((choice) => choice.documentId);
const shownId = () => desk.session.stores.documents.getState().shownId;

/** Gives the current conversation a question that was asked. */
async function withTurn(): Promise<string> {
  const conversation = await desk.session.conversations.ensureCurrent();
  desk.conversations.set(conversation.id, { ...conversation, turns: [turnOf("t1", { status: "done", answer: "so", figures })] });
  await desk.session.conversations.open(conversation.id);
  return conversation.id;
}

describe("a conversation that is left", () => {
  test("goes where nothing was asked, typed or chosen in it", async () => {
    const session = await started();
    const asked = await withTurn();
    await session.conversations.createNew();
    const empty = current()?.id ?? "";
    await session.conversations.open(asked);
    await eventually(() => expect([...desk.conversations.keys()]).toEqual([asked]));
    expect(session.stores.conversations.getState().list.map(({ id }) => id)).toEqual([asked]);
    expect(empty).not.toBe(asked);
  });

  test("stays where something is typed in it, or pages were chosen", async () => {
    const session = await started();
    const asked = await withTurn();
    await session.conversations.createNew();
    const typed = current()?.id ?? "";
    session.prompt.type("half a question");
    await session.conversations.open(asked);
    await session.conversations.createNew();
    await session.conversations.openFiles(["/files/a.pdf"]);
    await session.conversations.setDocuments([{ documentId: idOf("a"), pages: [2, 3] }]);
    const chosen = current()?.id ?? "";
    await session.conversations.open(asked);
    await session.conversations.refreshList();
    expect([...desk.conversations.keys()]).toEqual([asked, typed, chosen]);
  });
});

describe("documents of a conversation", () => {
  test("a new conversation is about the document in view alone", async () => {
    const session = await started();
    await session.conversations.openFiles(["/files/a.pdf", "/files/b.pdf"]);
    session.documents.show(idOf("a"));
    await withTurn();
    await session.conversations.createNew();
    expect(currentDocuments()).toEqual([idOf("a")]);
  });

  test("a document of the library is shown where it belongs, joins where nothing was asked, and else gets its own conversation", async () => {
    const session = await started();
    await session.conversations.openFiles(["/files/a.pdf"]);
    const first = await withTurn();
    await session.conversations.openFiles(["/files/b.pdf"]);
    const second = current()?.id;
    await session.conversations.openFromLibrary(idOf("a"));
    expect(current()?.id).toBe(second);
    expect(currentDocuments()).toEqual([idOf("b"), idOf("a")]);
    await session.conversations.openFromLibrary(idOf("b"));
    expect(shownId()).toBe(idOf("b"));
    expect(currentDocuments()).toHaveLength(2);
    await session.conversations.open(first);
    await session.conversations.openFromLibrary(idOf("a"));
    expect(current()?.id).toBe(first);
    expect(show(session, <LibraryPane />)).toContain("Ask about it in a new conversation");
    await session.conversations.openFromLibrary(idOf("b"));
    expect(current()?.id).not.toBe(first);
    expect(currentDocuments()).toEqual([idOf("b")]);
  });

  test("a document taken off the list is taken out of the conversation too", async () => {
    const session = await started({ forgetDocument: () => ({}) });
    await session.conversations.openFiles(["/files/a.pdf", "/files/b.pdf"]);
    await session.conversations.forgetDocument(idOf("b"));
    expect(currentDocuments()).toEqual([idOf("a")]);
    expect(desk.asked.some((call) => call.method === "forgetDocument")).toBe(true);
  });

  test("pages that are chosen come into view", async () => {
    const session = await started();
    await session.conversations.openFiles(["/files/a.pdf", "/files/b.pdf"]);
    await session.conversations.setDocuments([
      { documentId: idOf("a"), pages: [3, 4] },
      { documentId: idOf("b"), pages: null },
    ]);
    expect(session.stores.view.getState().goTo).toEqual({ documentId: idOf("a"), page: 3 });
    expect(shownId()).toBe(idOf("a"));
  });

  test("the sample document opens like a file, and says when it is missing", async () => {
    const session = await started();
    await session.conversations.openSample();
    expect(session.stores.shell.getState().problems).toMatchObject([{ problem: { code: "document-missing" } }]);
    desk.files.sample = "/app/d.pdf";
    await session.conversations.openSample();
    expect(currentDocuments()).toEqual([idOf("d")]);
  });
});

describe("an answer again", () => {
  const sampling = () => desk.asked.filter((call) => call.method === "ask").at(-1)?.payload;

  test("is another one where there is a complete one, at whatever temperature", async () => {
    const session = await started();
    await withTurn();
    await session.regenerate();
    expect(sampling()).toMatchObject({ sampling: { temperature: 0.7, seed: null } });
    const { settings } = session.stores.shell.getState();
    await session.changeSettings({ sampling: { ...settings.sampling, temperature: 1.2, seed: 7 } });
    await session.regenerate();
    expect(sampling()).toMatchObject({ sampling: { temperature: 1.2, seed: null } });
  });

  test("keeps the temperature where the budget is another one, so that the two can be compared", async () => {
    const session = await started();
    const conversation = await session.conversations.ensureCurrent();
    const { settings } = session.stores.shell.getState();
    await session.changeSettings({ sampling: { ...settings.sampling, seed: 7 }, budget: 64 });
    const done = turnOf("t1", { status: "done", answer: "whole", figures });
    desk.conversations.set(conversation.id, { ...conversation, turns: [done] });
    await session.conversations.open(conversation.id);
    await eventually(() => expect(session.stores.model.getState().current).not.toBeNull());
    const again = (): string => /title="(Answer again[^"]*)"/.exec(show(session, <ConversationPane />))?.[1] ?? "no title";
    expect(again()).toBe("Answer again with this budget");
    await session.regenerate();
    expect(sampling()).toMatchObject({ budget: 64, sampling: { temperature: 0, seed: 7 } });
    session.answer.dismiss(conversation.id);

    const shrunk = { ...figures, budget: 64, policy: "snapkv", keptTokens: 64 } as const;
    desk.conversations.set(conversation.id, { ...conversation, turns: [{ ...done, figures: shrunk }] });
    await session.conversations.open(conversation.id);
    expect(again()).toMatch(/^Answer again, at temperature 0\.7 with a new seed/);
    await session.regenerate();
    expect(sampling()).toMatchObject({ budget: 64, sampling: { temperature: 0.7, seed: null } });
  });

  test("is the same one where it was stopped", async () => {
    const session = await started();
    const conversation = await session.conversations.ensureCurrent();
    desk.conversations.set(conversation.id, { ...conversation, turns: [turnOf("t1", { status: "stopped" })] });
    await session.conversations.open(conversation.id);
    await session.regenerate();
    expect(sampling()).toMatchObject({ sampling: { temperature: 0 } });
  });
});
