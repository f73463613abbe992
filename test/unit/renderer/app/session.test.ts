import { afterEach, describe, expect, test } from "vitest";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import "../../../../renderer/text/i18n.ts";
import { createDesk, type Desk, eventually, figures, idOf, measureOf, summaryOf, turnOf } from "../fakeEngine.ts";

let desk: Desk;
afterEach(() => desk.session.dispose());

async function started(handlers: Parameters<typeof createDesk>[0] = {}): Promise<Desk> {
  desk = createDesk(handlers);
  await desk.session.start();
  await eventually(() => expect(desk.session.stores.model.getState().current?.report.id).toBe("small"));
  return desk;
}

const current = () => desk.session.stores.conversations.getState().current;
const live = (id: string) => desk.session.stores.answer.getState().live[id];
const currentDocuments = () => current()?.documents.map((choice) => choice.documentId);

/** An engine's `ask` that goes on when the test says so. */
function scriptedAsk() {
  let counter = 0;
  const open: { emitToken: (text: string) => void; end: () => void; fail: (error: LongsightError) => void; cancelled: () => boolean }[] =
    [];
  const handler = (
    payload: { conversationId: string; question: string },
    reply: { emit: (event: never) => void; cancelled: () => boolean },
  ) => {
    counter += 1;
    const turn = turnOf(`t${counter}`, { question: payload.question });
    const send = (event: unknown): void => Reflect.apply(reply.emit, undefined, [event]);
    send({ event: "turn", turn });
    let text = "";
    return new Promise((resolve, reject) => {
      open.push({
        emitToken: (piece) => {
          text += piece;
          send({ event: "token", text: piece });
        },
        end: () => resolve({ turn: { ...turn, answer: text, status: "done", figures }, figures }),
        fail: reject,
        cancelled: reply.cancelled,
      });
    });
  };
  return { handler, open };
}

describe("opening files", () => {
  test("several of one drop go together into one conversation; one that fails says so and the others still open", async () => {
    await started();
    const plain = desk.handlers.openDocument;
    desk.handlers.openDocument = (payload: { path: string }, reply) => {
      if (payload.path.includes("b.pdf")) throw new LongsightError("document-damaged", "“b.pdf” is damaged.");
      return plain === undefined ? summaryOf("a") : Reflect.apply(plain, undefined, [payload, reply]);
    };
    await desk.session.conversations.openFiles(["/files/a.pdf", "/files/b.pdf", "/files/c.pdf"]);
    expect(desk.conversations.size).toBe(1);
    expect(currentDocuments()).toEqual([idOf("a"), idOf("c")]);
    const { openings, shownId } = desk.session.stores.documents.getState();
    expect(openings).toMatchObject([{ name: "b.pdf", status: "failed", problem: { message: "“b.pdf” is damaged." } }]);
    expect(shownId).toBe(idOf("c"));
  });

  test("a file opened while questions were asked already starts a conversation of its own", async () => {
    await started();
    await desk.session.conversations.openFiles(["/files/a.pdf"]);
    const first = current();
    if (first === null) throw new Error("no conversation");
    desk.conversations.set(first.id, { ...first, turns: [turnOf("t1", { status: "done" })] });
    await desk.session.conversations.open(first.id);
    await desk.session.conversations.openFiles(["/files/b.pdf"]);
    expect(current()?.id).not.toBe(first.id);
    expect(currentDocuments()).toEqual([idOf("b")]);
    expect(desk.conversations.get(first.id)?.documents).toHaveLength(1);
  });

  test("a locked file waits for its password, says when it is wrong, and joins when it is right", async () => {
    await started({
      openDocument: ({ password }: { path: string; password?: string }) => {
        if (password === undefined) throw new LongsightError("document-password-needed", "It is locked.");
        if (password !== "right") throw new LongsightError("document-password-wrong", "That is not it.");
        return summaryOf("a", { locked: true });
      },
    });
    const { documents, conversations, stores } = desk.session;
    await conversations.openFiles(["/files/a.pdf"]);
    const opening = () => stores.documents.getState().openings[0];
    expect(opening()).toMatchObject({ status: "locked", problem: null });
    const key = opening()?.key ?? "";
    expect(await documents.unlock(key, "wrong")).toBeNull();
    expect(opening()).toMatchObject({ status: "locked", problem: { message: "That is not it." } });
    await documents.unlock(key, "right");
    expect(opening()).toBeUndefined();
    expect(currentDocuments()).toEqual([idOf("a")]);
  });
});

describe("an answer", () => {
  test("lands only in its own conversation, wherever the person goes meanwhile", async () => {
    const { handler, open } = scriptedAsk();
    await started({ ask: handler });
    const { session } = desk;
    await session.conversations.openFiles(["/files/a.pdf"]);
    const firstId = current()?.id ?? "";
    const asked = session.answer.ask(firstId, "first?", null);
    await eventually(() => expect(current()?.turns).toHaveLength(1));
    open[0]?.emitToken("one ");
    await session.conversations.createNew();
    const secondId = current()?.id ?? "";
    expect(secondId).not.toBe(firstId);
    open[0]?.emitToken("two");
    await eventually(() => expect(live(firstId)?.text).toBe("one two"));
    expect(current()?.turns).toEqual([]);
    open[0]?.end();
    await asked;
    expect(current()).toMatchObject({ id: secondId, turns: [] });
    expect(live(firstId)).toBeUndefined();
  });

  test("keeps what was written when it is stopped, and takes the engine's figures when they are there", async () => {
    const { handler, open } = scriptedAsk();
    await started({ ask: handler });
    const conversation = await desk.session.conversations.ensureCurrent();
    const asked = desk.session.answer.ask(conversation.id, "why?", null);
    await eventually(() => expect(open).toHaveLength(1));
    open[0]?.emitToken("so far");
    await eventually(() => expect(live(conversation.id)?.text).toBe("so far"));
    desk.session.stop();
    await asked;
    expect(current()?.turns).toMatchObject([{ status: "stopped", answer: "so far" }]);
    await eventually(() => expect(open[0]?.cancelled()).toBe(true));
    desk.conversations.set(conversation.id, {
      ...conversation,
      turns: [turnOf("t1", { status: "stopped", answer: "so far", figures })],
    });
    await eventually(() => expect(current()?.turns[0]?.figures?.answerTokens).toBe(2));
  });

  test("ends as interrupted with its text when the engine's process ends", async () => {
    const { handler, open } = scriptedAsk();
    await started({ ask: handler });
    const conversation = await desk.session.conversations.ensureCurrent();
    const asked = desk.session.answer.ask(conversation.id, "why?", null);
    await eventually(() => expect(open).toHaveLength(1));
    open[0]?.emitToken("half");
    await eventually(() => expect(live(conversation.id)?.text).toBe("half"));
    desk.session.engineChanged({ state: "stopped", problem: { code: "engine-died", message: "It ended." } });
    await asked;
    expect(current()?.turns).toMatchObject([{ status: "interrupted", answer: "half" }]);
    expect(desk.session.stores.model.getState().current).toBeNull();
    expect(desk.session.prompt.obstacle()).toBe("engine");
    desk.session.engineChanged({ state: "ready" });
    await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
  });

  test("that is refused before it is written down stands there with its question, which comes back to the composer", async () => {
    await started({
      ask: () => {
        throw new LongsightError("does-not-fit", "It needs 9,000 tokens.");
      },
    });
    const conversation = await desk.session.conversations.ensureCurrent();
    desk.session.prompt.type("long?");
    await desk.session.send();
    expect(live(conversation.id)).toMatchObject({ status: "failed", question: "long?", problem: { code: "does-not-fit" } });
    expect(desk.session.prompt.question()).toBe("long?");
  });

  test("replaces the turn that is asked again and all after it", async () => {
    const { handler, open } = scriptedAsk();
    await started({ ask: handler });
    const conversation = await desk.session.conversations.ensureCurrent();
    desk.conversations.set(conversation.id, {
      ...conversation,
      turns: [turnOf("old1", { status: "done", answer: "kept" }), turnOf("old2", { status: "done", answer: "gone" })],
    });
    await desk.session.conversations.open(conversation.id);
    const again = desk.session.regenerate();
    await eventually(() => expect(current()?.turns.map((turn) => turn.id)).toEqual(["old1", "t1"]));
    open[0]?.end();
    await again;
    expect(desk.asked.find((call) => call.method === "ask")?.payload).toMatchObject({ replaceTurnId: "old2", question: "question old2" });
  });

  test("is stopped when its conversation is deleted", async () => {
    const { handler, open } = scriptedAsk();
    await started({ ask: handler });
    const conversation = await desk.session.conversations.ensureCurrent();
    const asked = desk.session.answer.ask(conversation.id, "why?", null);
    await eventually(() => expect(open).toHaveLength(1));
    await eventually(() => expect(live(conversation.id)?.turn).not.toBeNull());
    await desk.session.conversations.remove(conversation.id);
    await asked;
    await eventually(() => expect(open[0]?.cancelled()).toBe(true));
    expect(current()).toBeNull();
    expect(live(conversation.id)).toBeUndefined();
    // The look for what the engine wrote down finds no conversation, and that is no problem.
    await eventually(() => expect(desk.asked.some((call) => call.method === "getConversation")).toBe(true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(desk.session.stores.shell.getState().problems).toEqual([]);
  });
});

describe("before sending", () => {
  test("documents that do not fit ask by themselves, once, and nothing is sent", async () => {
    await started({
      measurePrompt: () =>
        measureOf({ documents: [{ documentId: idOf("a"), tokens: 9000 }], documentTokens: 9000, promptTokens: 9030, fits: false }),
    });
    const { session } = desk;
    await session.conversations.openFiles(["/files/a.pdf"]);
    await eventually(() => expect(session.stores.shell.getState().dialog).toBe("fit"));
    session.prompt.putFitAside();
    session.showDialog(null);
    session.prompt.type("what?");
    await session.prompt.measure();
    expect(session.stores.shell.getState().dialog).toBeNull();
    expect(session.prompt.obstacle()).toBe("does-not-fit");
    await session.send();
    expect(session.stores.shell.getState().dialog).toBe("fit");
    expect(desk.asked.some((call) => call.method === "ask")).toBe(false);
  });

  test("while the model is being loaded nothing is sent, and the question stays", async () => {
    let load: (model: unknown) => void = () => undefined;
    await started();
    desk.handlers.loadModel = () => new Promise((resolve) => (load = resolve));
    const loaded = desk.session.stores.model.getState().current;
    const loading = desk.session.model.loadOtherwise({ model: "small", contextLength: 2048 });
    desk.session.prompt.type("what?");
    await eventually(() => expect(desk.session.prompt.obstacle()).toBe("model-loading"));
    await desk.session.send();
    expect(desk.asked.some((call) => call.method === "ask")).toBe(false);
    expect(desk.session.prompt.question()).toBe("what?");
    load(loaded);
    await loading;
    expect(desk.session.prompt.obstacle()).not.toBe("model-loading");
  });

  test("a document without text keeps the question from being sent", async () => {
    await started({ openDocument: () => summaryOf("a", { characters: 0 }) });
    await desk.session.conversations.openFiles(["/files/a.pdf"]);
    desk.session.prompt.type("what?");
    await desk.session.prompt.measure();
    expect(desk.session.prompt.obstacle()).toBe("no-text");
  });
});

describe("a start", () => {
  test("brings the last conversation and its documents back; a file that has moved is said and can be shown again", async () => {
    await started();
    await desk.session.conversations.openFiles(["/files/a.pdf", "/files/b.pdf"]);
    const id = current()?.id;
    expect(desk.settings().lastConversation).toBe(id);
    const plain = desk.handlers.openDocument;
    desk.handlers.openDocument = (payload: { path: string }, reply) => {
      if (payload.path === "/files/b.pdf") throw new LongsightError("document-missing", "“b.pdf” is not there any longer.");
      return plain === undefined ? summaryOf("a") : Reflect.apply(plain, undefined, [payload, reply]);
    };
    const { stores, documents } = desk.session;
    stores.conversations.setState({ current: null });
    stores.documents.setState({ open: {}, openings: [], shownId: null });
    desk.session.engineChanged({ state: "starting" });
    desk.session.engineChanged({ state: "ready" });
    await eventually(() => expect(stores.documents.getState().openings).toMatchObject([{ status: "failed", documentId: idOf("b") }]));
    expect(current()?.id).toBe(id);
    expect(Object.keys(stores.documents.getState().open)).toEqual([idOf("a")]);
    desk.files.chosen = ["/elsewhere/b.pdf"];
    await documents.findAgain(stores.documents.getState().openings[0]?.key ?? "");
    expect(stores.documents.getState().openings).toEqual([]);
    expect(stores.documents.getState().open[idOf("b")]?.path).toBe("/elsewhere/b.pdf");
    expect(currentDocuments()).toEqual([idOf("a"), idOf("b")]);
  });

  test("says that a model is coming while it is found out which, and never that there is none", async () => {
    desk = createDesk();
    const plain = desk.handlers.listModels;
    let list: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (list = resolve));
    desk.handlers.listModels = async (payload, reply) => {
      await held;
      return plain?.(payload, reply);
    };
    await desk.session.start();
    const { model } = desk.session.stores;
    await eventually(() => expect(model.getState().looking).toBe(true));
    expect(desk.session.prompt.obstacle()).toBe("model-loading");
    list();
    await eventually(() => expect(model.getState().current).not.toBeNull());
    expect(model.getState().looking).toBe(false);
  });

  test("opens the files that were given from outside", async () => {
    desk = createDesk();
    desk.files.waiting = ["/files/d.pdf"];
    await desk.session.start();
    await eventually(() => expect(currentDocuments()).toEqual([idOf("d")]));
  });
});
