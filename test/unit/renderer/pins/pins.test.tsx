import { afterEach, expect, test } from "vitest";
import type { Conversation } from "../../../../electron/contract/conversation.ts";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import type { Pin } from "../../../../electron/contract/pin.ts";
import { InspectorPane } from "../../../../renderer/inspector/InspectorPane.tsx";
import { PinCommand } from "../../../../renderer/pins/PinButtons.tsx";
import { createDesk, type Desk, eventually, figures, idOf, turnOf } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

const text = "  At most 3 A while charging.  ";
const tooSmall = "A budget of 32 tokens is too small for this prompt: 60 tokens are always kept. Choose a budget of at least 60.";

async function started(): Promise<Conversation> {
  desk = createDesk({
    pageText: ({ documentId, page }: { documentId: string; page: number }) => ({
      documentId,
      page,
      text,
      boxes: new Float32Array(4 * text.length),
      flags: [],
    }),
    setPins: ({ conversationId, pins }: { conversationId: string; pins: Pin[] }) => {
      const conversation = desk.conversations.get(conversationId);
      if (conversation === undefined) throw new LongsightError("conversation-unknown", "It is not there.");
      const changed = { ...conversation, pins };
      desk.conversations.set(conversationId, changed);
      return changed;
    },
    listPins: ({ conversationId }: { conversationId: string }) =>
      (desk.conversations.get(conversationId)?.pins ?? []).map((pin) => ({ pin, text: text.slice(pin.start, pin.end), problem: null })),
    importance: () => {
      throw new LongsightError("scores-missing", "There are none.");
    },
    preview: () => {
      throw new LongsightError("usage", tooSmall);
    },
  });
  desk.set({ budget: 32, policy: "snapkv" });
  await desk.session.start();
  await desk.session.conversations.openFiles(["/files/a.pdf"]);
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
  return desk.session.conversations.ensureCurrent();
}

const pin: Pin = { documentId: idOf("a"), page: 2, start: 2, end: 29 };
const selectPassage = () => desk.session.pins.select([{ ...pin, start: 0, end: text.length }], null);
const problems = () => desk.session.stores.shell.getState().problems.map(({ problem }) => problem.message);

test("what is selected is pinned with one press, is listed with the way to it, and is unpinned there", async () => {
  const { id } = await started();
  expect(show(desk.session, <PinCommand />)).toContain('disabled=""');
  selectPassage();
  expect(show(desk.session, <PinCommand />)).not.toContain('disabled=""');
  await desk.session.pins.pinSelected();
  expect(desk.conversations.get(id)?.pins).toEqual([pin]);
  expect(show(desk.session, <PinCommand />)).toContain('disabled=""');
  await eventually(() => expect(show(desk.session, <InspectorPane />)).toContain("At most 3 A while charging."));
  expect(show(desk.session, <InspectorPane />)).toContain("Unpin the passage on page 2: At most 3 A while charging.");
  // Nothing was asked yet: there is no prompt that it could be too much for.
  expect(problems()).toEqual([]);

  await desk.session.pins.unpin(pin);
  expect(desk.conversations.get(id)?.pins).toEqual([]);
  await eventually(() => expect(show(desk.session, <InspectorPane />)).toContain("Nothing is pinned."));
});

test("a pin that the budget has no room for is told at once, with the budget that would do", async () => {
  const { id } = await started();
  const conversation = desk.conversations.get(id);
  if (conversation === undefined) throw new Error("no conversation");
  desk.conversations.set(id, { ...conversation, turns: [turnOf("t1", { status: "done", answer: "So.", figures })] });
  await desk.session.conversations.reload();
  selectPassage();
  await desk.session.pins.pinSelected();
  expect(problems()).toEqual([tooSmall]);
});

test("what the engine refuses is said, and the pins stay as they were", async () => {
  const { id } = await started();
  desk.handlers.setPins = () => {
    throw new LongsightError("usage", "The page is not chosen.");
  };
  selectPassage();
  await desk.session.pins.pinSelected();
  expect(problems()).toEqual(["The page is not chosen."]);
  expect(desk.conversations.get(id)?.pins).toEqual([]);
});
