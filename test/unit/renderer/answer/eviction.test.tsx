import { afterEach, expect, test } from "vitest";
import { type AnswerFigures, answerFiguresSchema } from "../../../../electron/contract/conversation.ts";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import type { Settings } from "../../../../electron/contract/shell.ts";
import { ConversationPane } from "../../../../renderer/answer/ConversationPane.tsx";
import { createDesk, type Desk, eventually, figures, type Handler, turnOf } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

const shown = (): string => show(desk.session, <ConversationPane />);
const asked = (): unknown => desk.asked.find((call) => call.method === "ask")?.payload;

async function asking(settings: Partial<Settings>, ask: Handler) {
  desk = createDesk({ ask });
  desk.set(settings);
  await desk.session.start();
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
  const conversation = await desk.session.conversations.ensureCurrent();
  return { conversation, ended: desk.session.answer.ask(conversation.id, "why?", null) };
}

const sentence = "A budget of 32 tokens is too small for this prompt: 36 tokens are always kept. Choose a budget of at least 36.";
const refuse: Handler = () => {
  throw new LongsightError("usage", sentence);
};

test("a budget goes with the question; without a module for the model its policy is snapkv", async () => {
  const { ended } = await asking({ budget: 256, policy: "lookahead" }, refuse);
  await ended;
  expect(asked()).toMatchObject({ budget: 256, policy: "snapkv", mode: "question" });
});

test("a new user asks with the full cache", async () => {
  const { ended } = await asking({}, refuse);
  await ended;
  expect(asked()).toMatchObject({ budget: "full", policy: "full", mode: "question" });
});

test("a budget that is too small is said in the engine's words, with the way to a larger one and the question given back", async () => {
  const { conversation, ended } = await asking({ budget: 32, policy: "snapkv" }, refuse);
  await ended;
  expect(shown()).toContain(sentence);
  expect(shown()).toMatch(/<button[^>]*>Choose a larger budget<\/button>/);
  expect(desk.session.stores.prompt.getState().drafts[conversation.id]).toBe("why?");
});

test("mode, draft model and share go with a budget", async () => {
  const { ended } = await asking({ budget: 64, policy: "snapkv", mode: "streaming", share: "even" }, refuse);
  await ended;
  expect(asked()).toMatchObject({ budget: 64, policy: "snapkv", mode: "streaming", share: "score", draftModel: null });
});

test("what the engine has to say of an answer stands below it, once", async () => {
  const notice = { event: "notice", message: "What was read could not be stored: the disk is full." };
  const turn = turnOf("t1");
  const { ended } = await asking({ budget: 64 }, (_payload, { emit }) => {
    for (const event of [{ event: "turn", turn }, notice, notice]) Reflect.apply(emit, undefined, [event]);
    return { turn: { ...turn, answer: "so", status: "done", figures }, figures };
  });
  await ended;
  expect(shown().match(/could not be stored: the disk is full\./g)).toHaveLength(1);
  expect(shown().indexOf("could not be stored")).toBeLessThan(shown().indexOf('class="figures"'));
});

test("why the documents were chosen from anew is said with the answer, also in a later run", async () => {
  const { conversation, ended } = await asking({ budget: 64 }, refuse);
  await ended;
  const said: Record<NonNullable<AnswerFigures["startedOver"]>, string> = {
    model: "another model answers",
    choice: "the policy or the budget changed",
    documents: "the documents changed",
    lost: "not in memory any more",
  };
  const show = (startedOver: AnswerFigures["startedOver"]) => {
    // As it comes out of the history: nobody has said anything in this run.
    const turns = [turnOf("t1", { answer: "so", status: "done", figures: { ...figures, startedOver } })];
    desk.session.stores.conversations.setState({ current: { ...conversation, turns } });
    return shown();
  };
  for (const why of answerFiguresSchema.shape.startedOver.unwrap().unwrap().options) {
    expect(show(why)).toContain("What is kept of the documents was chosen anew");
    expect(show(why)).toContain(said[why]);
  }
  expect(show(null)).not.toContain("chosen anew");
});

test("another refusal does not speak of the budget where everything is kept", async () => {
  const { ended } = await asking({}, refuse);
  await ended;
  expect(shown()).toContain(sentence);
  expect(shown()).not.toContain("Choose a larger budget");
});

test.each([
  ["scoring", "Scoring importance"],
  ["eviction", "Shrinking the cache"],
])("the stage %s is shown as one step", async (stage, words) => {
  const event = { event: "progress", stage, fraction: 0, done: 0, total: 1, secondsLeft: null };
  const { ended } = await asking({ budget: 64 }, (_payload, { emit }) => {
    Reflect.apply(emit, undefined, [event]);
    return new Promise(() => undefined);
  });
  await eventually(() => expect(shown()).toMatch(new RegExp(`role="progressbar"[^>]*aria-label="${words}"`)));
  expect(shown()).toContain('<span class="progress-detail"></span>');
  desk.session.stop();
  await ended;
});
