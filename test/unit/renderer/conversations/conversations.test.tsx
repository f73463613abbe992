import { afterEach, describe, expect, test } from "vitest";
import type { StreamEvent } from "../../../../electron/contract/engine.ts";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import { ConversationPane } from "../../../../renderer/answer/ConversationPane.tsx";
import { UndoDeletion } from "../../../../renderer/conversations/UndoDeletion.tsx";
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

describe("a conversation that is deleted", () => {
  test("comes back as it was, the last one first, and into view where it was in view", async () => {
    const session = await started();
    const first = await withTurn();
    await session.conversations.createNew();
    session.prompt.type("kept");
    const second = current()?.id ?? "";
    await session.conversations.remove(first);
    await session.conversations.remove(second);
    expect(current()).toBeNull();
    expect(show(session, <UndoDeletion />)).toContain("was deleted");
    await session.conversations.undoRemove();
    expect(current()?.id).toBe(second);
    await session.conversations.undoRemove();
    // It had not been in view.
    expect(current()?.id).toBe(second);
    expect(
      session.stores.conversations
        .getState()
        .list.map(({ id }) => id)
        .sort(),
    ).toEqual([first, second].sort());
    expect(desk.conversations.get(first)?.turns).toHaveLength(1);
    expect(show(session, <UndoDeletion />)).not.toContain("was deleted");
    await session.conversations.undoRemove();
    expect(desk.asked.filter(({ method }) => method === "restoreConversation")).toHaveLength(2);
  });

  test("and is gone for good says so", async () => {
    const session = await started();
    const id = await withTurn();
    await session.conversations.remove(id);
    desk.handlers.restoreConversation = () => {
      throw new LongsightError("conversation-unknown", "This conversation was deleted.");
    };
    await session.conversations.undoRemove();
    expect(session.stores.shell.getState().problems).toMatchObject([{ problem: { code: "conversation-unknown" } }]);
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

describe("versions of a question", () => {
  const done = (id: string) => turnOf(id, { status: "done", answer: `answer ${id}`, figures });
  const asked = () => desk.asked.filter((call) => call.method === "ask").at(-1)?.payload;

  async function withVersions(): Promise<string> {
    const conversation = await desk.session.conversations.ensureCurrent();
    const shown = { ...conversation, turns: [done("t1"), done("t2b"), done("t3")], versions: { t2b: ["t2", "t2b", "t2c"] } };
    desk.conversations.set(conversation.id, shown);
    await desk.session.conversations.open(conversation.id);
    return conversation.id;
  }

  test("are counted where there are several, and another one is brought into view by the engine", async () => {
    const session = await started({
      showTurn: ({ conversationId, turnId }: { conversationId: string; turnId: string }) => {
        const conversation = desk.conversations.get(conversationId);
        return { ...conversation, turns: [done("t1"), done(turnId)], versions: { [turnId]: ["t2", "t2b", "t2c"] } };
      },
    });
    await withVersions();
    const before = show(session, <ConversationPane />);
    expect(before.match(/data-testid="versions"[^>]*>([^<]*)</g)).toHaveLength(1);
    expect(before).toContain("2 / 3");
    expect(before.match(/aria-label="Edit the question"/g)).toHaveLength(3);
    session.prompt.startEditing("t1", "half");
    await session.conversations.showTurn("t2c");
    expect(current()?.turns.map(({ id }) => id)).toEqual(["t1", "t2c"]);
    expect(session.stores.prompt.getState().editing).toBeNull();
    expect(show(session, <ConversationPane />)).toContain("3 / 3");
  });

  test("are not changed under an answer that is being written", async () => {
    let finish = (): void => undefined;
    const session = await started({ ask: () => new Promise<void>((done) => (finish = done)) });
    const id = await withVersions();
    const asking = session.regenerate("t3");
    await eventually(() => expect(session.stores.answer.getState().live[id]?.status).toBe("running"));
    await session.conversations.showTurn("t2c");
    expect(desk.asked.some(({ method }) => method === "showTurn")).toBe(false);
    expect(show(session, <ConversationPane />)).not.toContain('aria-label="Edit the question"');
    finish();
    await asking;
  });

  test("come of any turn: the ones behind it are left to its earlier versions", async () => {
    const session = await started({
      ask: ({ question }: { question: string }, { emit }: { emit: (event: StreamEvent) => void }) => {
        const turn = { ...done("t2d"), question };
        emit({ event: "turn", turn });
        return { turn, figures };
      },
    });
    const id = await withVersions();
    session.prompt.startEditing("t2b", "And in winter?");
    await session.prompt.measure();
    const sent = session.send();
    const shown = desk.conversations.get(id);
    if (shown !== undefined) desk.conversations.set(id, { ...shown, versions: { t2d: ["t2", "t2b", "t2c", "t2d"] } });
    await sent;
    expect(asked()).toMatchObject({ question: "And in winter?", replaceTurnId: "t2b" });
    expect(current()?.turns.map(({ id }) => id)).toEqual(["t1", "t2d"]);
    await eventually(() => expect(current()?.versions).toEqual({ t2d: ["t2", "t2b", "t2c", "t2d"] }));
  });

  test("can be made with another budget, policy and mode, for this answer alone", async () => {
    const session = await started();
    await withVersions();
    await session.regenerate("t1", { budget: 96, policy: "tova", mode: "question" });
    expect(asked()).toMatchObject({
      replaceTurnId: "t1",
      question: "question t1",
      budget: 96,
      policy: "tova",
      // What became different is to come of these alone.
      sampling: { temperature: 0 },
    });
    expect(session.stores.shell.getState().settings.budget).toBe("full");
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
