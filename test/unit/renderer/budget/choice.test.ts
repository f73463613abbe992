import { afterEach, expect, test } from "vitest";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import { choiceOf } from "../../../../renderer/budget/choice.ts";
import { createDesk, type Desk, eventually, figures, turnOf } from "../fakeEngine.ts";

let desk: Desk;
afterEach(() => desk.session.dispose());

const now = () => choiceOf(desk.session.stores);

async function started(): Promise<string> {
  desk = createDesk({
    ask: () => {
      throw new LongsightError("usage", "Not now.");
    },
  });
  desk.set({ budget: 128, policy: "tova" });
  await desk.session.start();
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
  const { id } = await desk.session.conversations.ensureCurrent();
  const conversation = desk.conversations.get(id);
  if (conversation === undefined) throw new Error("no conversation");
  desk.conversations.set(id, { ...conversation, turns: [turnOf("t1", { status: "done", answer: "So.", figures })] });
  await desk.session.conversations.reload();
  return id;
}

test("a conversation follows the settings until something is chosen in it; then it keeps that, and new ones begin with it", async () => {
  const first = await started();
  expect(now()).toMatchObject({ budget: 128, policy: "tova", mode: "question" });
  await desk.session.changeChoice({ budget: 64 });
  expect(now()).toMatchObject({ budget: 64, policy: "tova" });
  expect(desk.conversations.get(first)?.choice).toEqual({ budget: 64, policy: "tova", draftModel: null, mode: "question", share: "score" });
  expect(desk.settings().budget).toBe(64);

  await desk.session.conversations.createNew();
  expect(now()).toMatchObject({ budget: 64, policy: "tova" });
  await desk.session.changeChoice({ policy: "snapkv", mode: "once" });
  await desk.session.changeChoice({ budget: "full" });
  expect(now()).toMatchObject({ budget: "full", policy: "snapkv", mode: "once" });

  await desk.session.conversations.open(first);
  expect(now()).toMatchObject({ budget: 64, policy: "tova", mode: "question" });
});

test("what is asked goes by the conversation's own choice", async () => {
  const id = await started();
  await desk.session.changeChoice({ budget: 64 });
  await desk.session.changeSettings({ budget: "full" });
  await desk.session.answer.ask(id, "Why?", null);
  expect(desk.asked.find(({ method }) => method === "ask")?.payload).toMatchObject({ budget: 64, policy: "tova" });
});

test("a choice that could not be written down is used all the same, and that is said", async () => {
  await started();
  desk.handlers.setChoice = () => {
    throw new LongsightError("storage", "The disk is full.");
  };
  await desk.session.changeChoice({ budget: 64 });
  expect(now().budget).toBe(64);
  expect(desk.session.stores.shell.getState().problems.map(({ problem }) => problem.message)).toEqual(["The disk is full."]);
});
