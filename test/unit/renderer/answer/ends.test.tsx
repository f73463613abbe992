import { afterEach, describe, expect, test } from "vitest";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import { ConversationPane } from "../../../../renderer/answer/ConversationPane.tsx";
import { createDesk, type Desk, eventually, figures, turnOf } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

/** What the hidden status line of the conversation says. */
function announced(): string {
  const html = show(desk.session, <ConversationPane />);
  return /<p class="visually-hidden" role="status">([^<]*)<\/p>/.exec(html)?.[1] ?? "no status line";
}

const shown = (): string => show(desk.session, <ConversationPane />);

/** A question under way in a conversation that is shown, and its end in the test's hands. */
async function asking(written: boolean) {
  let end: (result: unknown) => void = () => undefined;
  let fail: (error: LongsightError) => void = () => undefined;
  const turn = turnOf("t1", { question: "why?" });
  desk = createDesk({
    ask: (_payload, { emit }) => {
      if (written) Reflect.apply(emit, undefined, [{ event: "turn", turn }]);
      return new Promise((resolve, reject) => {
        end = resolve;
        fail = reject;
      });
    },
  });
  await desk.session.start();
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
  const conversation = await desk.session.conversations.ensureCurrent();
  const asked = desk.session.answer.ask(conversation.id, "why?", null);
  await eventually(() => expect(desk.asked.some((call) => call.method === "ask")).toBe(true));
  if (written) await eventually(() => expect(desk.session.stores.answer.getState().live[conversation.id]?.turn).not.toBeNull());
  expect(announced()).toBe("");
  return { asked, conversation, turn, end: (result: unknown) => end(result), fail: (error: LongsightError) => fail(error) };
}

describe("the end of an answer is said as what it is", () => {
  test("complete, and only in its own conversation", async () => {
    const { asked, turn, end } = await asking(true);
    end({ turn: { ...turn, answer: "so", status: "done", figures }, figures });
    await asked;
    expect(announced()).toBe("The answer is complete.");
    await desk.session.conversations.createNew();
    expect(announced()).toBe("");
  });

  test.each([true, false])("stopped (written down: %s)", async (written) => {
    const { asked } = await asking(written);
    desk.session.stop();
    await asked;
    expect(announced()).toBe("The answer was stopped.");
  });

  test("the engine's end", async () => {
    const { asked } = await asking(true);
    desk.session.engineChanged({ state: "stopped", problem: { code: "engine-died", message: "It ended." } });
    await asked;
    expect(announced()).toBe("The engine ended before the answer was complete.");
  });

  test.each([true, false])("failed (written down: %s)", async (written) => {
    const { asked, fail } = await asking(written);
    fail(new LongsightError("engine-failed", "It went wrong."));
    await asked;
    expect(announced()).toBe("The question could not be answered.");
  });
});

describe("a stop", () => {
  test("says that words were kept only when the engine has said so", async () => {
    const { asked, conversation, turn } = await asking(true);
    desk.conversations.set(conversation.id, { ...conversation, turns: [turn] });
    desk.session.stop();
    await asked;
    expect(shown()).toContain("Stopping…");
    desk.conversations.set(conversation.id, { ...conversation, turns: [{ ...turn, answer: "so far", status: "stopped", figures }] });
    await eventually(() => expect(shown()).toContain("Stopped. What was written is kept."));
    expect(shown()).not.toContain("Stopping…");
  });

  test("that an engine never confirms because it ended is an interruption", async () => {
    const { asked } = await asking(true);
    desk.session.stop();
    await asked;
    desk.session.engineChanged({ state: "stopped", problem: { code: "engine-died", message: "It ended." } });
    await eventually(() => expect(desk.session.stores.conversations.getState().current?.turns[0]?.status).toBe("interrupted"));
    expect(shown()).not.toContain("Stopping…");
  });
});
