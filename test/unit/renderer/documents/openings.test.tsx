import { afterEach, describe, expect, test } from "vitest";
import type { DocumentOutline } from "../../../../electron/contract/document.ts";
import type { StreamEvent } from "../../../../electron/contract/engine.ts";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import { comingOutline, withOpeningChanged } from "../../../../renderer/documents/documentsStore.ts";
import { Openings } from "../../../../renderer/documents/Openings.tsx";
import { createDesk, type Desk, eventually, idOf, summaryOf, turnOf } from "../fakeEngine.ts";
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
const documentsOf = (id: string) => desk.conversations.get(id)?.documents.map((choice) => choice.documentId);

/** An engine that reads a file when the test says so. */
function slowRead() {
  let finish: (value: unknown) => void = () => undefined;
  const read = new Promise((resolve) => {
    finish = resolve;
  });
  return { openDocument: () => read, finish: () => finish(summaryOf("a")) };
}

/** Gives the current conversation a question that was asked. */
async function withTurn(): Promise<string> {
  const conversation = await desk.session.conversations.ensureCurrent();
  desk.conversations.set(conversation.id, { ...conversation, turns: [turnOf("t1", { status: "done", answer: "so" })] });
  await desk.session.conversations.open(conversation.id);
  return conversation.id;
}

describe("a file on its way", () => {
  test("keeps a question waiting until it is part of the conversation", async () => {
    const { openDocument, finish } = slowRead();
    const session = await started({ openDocument });
    session.prompt.type("what?");
    await session.prompt.measure();
    expect(session.prompt.obstacle()).toBeNull();
    const opened = session.conversations.openFiles(["/files/a.pdf"]);
    await eventually(() => expect(session.prompt.obstacle()).toBe("document-reading"));
    await session.send();
    expect(desk.asked.some((call) => call.method === "ask")).toBe(false);
    // Not one moment in which it is neither read nor there.
    const seen: unknown[] = [];
    const end = session.stores.documents.subscribe(() => {
      const missing = (current()?.documents.length ?? 0) === 0;
      seen.push(missing && session.prompt.obstacle() !== "document-reading");
    });
    finish();
    await opened;
    end();
    expect(seen).not.toContain(true);
    expect(session.prompt.question()).toBe("what?");
    await session.prompt.measure();
    expect(session.prompt.obstacle()).toBeNull();
  });

  test("that is locked keeps it waiting for the password", async () => {
    const session = await started({
      openDocument: () => {
        throw new LongsightError("document-password-needed", "It is locked.");
      },
    });
    await session.conversations.openFiles(["/files/a.pdf"]);
    session.prompt.type("what?");
    expect(session.prompt.obstacle()).toBe("document-locked");
    session.documents.dismiss(session.stores.documents.getState().openings[0]?.key ?? "");
    await session.prompt.measure();
    expect(session.prompt.obstacle()).toBeNull();
  });

  test("goes into the conversation that it was opened in, wherever the person is when it comes", async () => {
    const { openDocument, finish } = slowRead();
    const session = await started({ openDocument });
    const asked = await withTurn();
    const opened = session.conversations.openFiles(["/files/a.pdf"]);
    await eventually(() => expect(session.stores.documents.getState().openings).toHaveLength(1));
    const target = current()?.id ?? "";
    expect(target).not.toBe(asked);
    await session.conversations.open(asked);
    expect(session.prompt.obstacle()).not.toBe("document-reading");
    finish();
    await opened;
    expect(documentsOf(target)).toEqual([idOf("a")]);
    expect(documentsOf(asked)).toEqual([]);
    expect(current()?.id).toBe(asked);
  });

  test("of which none could be opened leaves no conversation behind, and says why in the one before", async () => {
    const session = await started({
      openDocument: () => {
        throw new LongsightError("document-damaged", "It is damaged.");
      },
    });
    const asked = await withTurn();
    await session.conversations.openFiles(["/files/a.pdf"]);
    expect(current()?.id).toBe(asked);
    await eventually(() => expect([...desk.conversations.keys()]).toEqual([asked]));
    expect(show(session, <Openings />)).toContain("It is damaged.");
  });
});

describe("the pages of a file on its way", () => {
  const outlineOf = (letter: string): DocumentOutline => {
    const { id, name, path, locked, pages } = summaryOf(letter);
    return { id, name, path, locked, pages: pages.map(({ page, width, height }) => ({ page, width, height })) };
  };
  /** An engine that tells a file's pages, and reads it until it is stopped. */
  const endless = (letter: string) => ({
    openDocument: (_: unknown, { emit }: { emit: (event: StreamEvent) => void }) => {
      emit({ event: "outline", outline: outlineOf(letter) });
      return new Promise(() => undefined);
    },
  });
  const coming = (): string | null => comingOutline(desk.session.stores.documents.getState(), current()?.id ?? null)?.name ?? null;
  const keyOf = (): string => desk.session.stores.documents.getState().openings[0]?.key ?? "";

  test("are shown in its own conversation alone, where no other document has the place, until it is stopped", async () => {
    const session = await started(endless("b"));
    const asked = await withTurn();
    const opened = session.conversations.openFiles(["/files/b.pdf"]);
    await eventually(() => expect(coming()).toBe("b.pdf"));
    const target = current()?.id ?? "";
    await session.conversations.open(asked);
    expect(coming()).toBeNull();
    await session.conversations.open(target);
    expect(coming()).toBe("b.pdf");
    session.stores.documents.setState({ shownId: idOf("a"), open: { [idOf("a")]: summaryOf("a") } });
    expect(coming()).toBeNull();
    session.stores.documents.setState({ shownId: null });
    session.documents.stop(keyOf());
    await opened;
    expect(coming()).toBeNull();
    expect(session.stores.documents.getState().openings).toEqual([]);
  });

  test("are not shown of a file that is another by now; one that a conversation expects can be stopped and read again", async () => {
    const session = await started(endless("b"));
    const conversation = await session.conversations.ensureCurrent();
    const read = session.documents.read("/files/a.pdf", { conversationId: conversation.id, documentId: idOf("a") });
    await eventually(() => expect(session.stores.documents.getState().openings[0]?.outline?.name).toBe("b.pdf"));
    expect(coming()).toBeNull();
    session.documents.stop(keyOf());
    expect(await read).toBeNull();
    expect(show(session, <Openings />)).toContain("“a.pdf” was not read to its end");
    // The pages of an earlier try are not to be had from an engine that has only begun to read.
    const { openDocument, finish } = slowRead();
    desk.handlers.openDocument = openDocument;
    session.stores.documents.setState((state) => withOpeningChanged(state, keyOf(), { outline: outlineOf("a") }));
    const again = session.documents.readAgain(keyOf());
    expect(session.stores.documents.getState().openings[0]).toMatchObject({ status: "reading", problem: null });
    expect(coming()).toBeNull();
    finish();
    expect(await again).toMatchObject({ name: "a.pdf" });
    expect(session.stores.documents.getState().openings).toEqual([]);
  });

  test("one that waits for its turn can be stopped as well", async () => {
    const session = await started(endless("b"));
    const conversation = await session.conversations.ensureCurrent();
    let begin = (): void => undefined;
    const after = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const read = session.documents.read("/files/b.pdf", { conversationId: conversation.id, documentId: idOf("b"), after });
    session.documents.stop(keyOf());
    expect(session.stores.documents.getState().openings).toMatchObject([{ status: "failed", problem: { code: "cancelled" } }]);
    begin();
    expect(await read).toBeNull();
    expect(desk.asked.some(({ method }) => method === "openDocument")).toBe(false);
  });
});

describe("messages about files", () => {
  test("stay in their conversation, two at a time, and can be dismissed", async () => {
    const session = await started({
      openDocument: ({ path }: { path: string }) => {
        throw new LongsightError("document-damaged", `“${path}” is damaged.`);
      },
    });
    const other = await withTurn();
    await session.conversations.createNew();
    session.prompt.type("something");
    await session.conversations.openFiles(["/1.pdf", "/2.pdf", "/3.pdf", "/4.pdf", "/5.pdf"]);
    const shown = () => show(session, <Openings />);
    expect(shown().match(/is damaged/g)).toHaveLength(2);
    expect(shown()).toContain("3 more messages");
    expect(shown().match(/aria-label="Dismiss"/g)).toHaveLength(2);
    await session.conversations.open(other);
    expect(shown()).toBe("");
  });
});
