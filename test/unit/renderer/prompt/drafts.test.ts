import { afterEach, describe, expect, test } from "vitest";
import { createDesk, type Desk, eventually, figures, turnOf } from "../fakeEngine.ts";

const desks: Desk[] = [];
afterEach(() => {
  for (const desk of desks.splice(0)) desk.session.dispose();
});

async function started(before: Desk | null = null): Promise<Desk> {
  const desk = createDesk();
  desks.push(desk);
  for (const [id, conversation] of before?.conversations ?? []) desk.conversations.set(id, conversation);
  await desk.session.start();
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
  return desk;
}

/** A conversation with one turn. */
async function asked(desk: Desk): Promise<string> {
  const conversation = await desk.session.conversations.ensureCurrent();
  const turns = [turnOf("t1", { status: "done", answer: "so", figures })];
  desk.conversations.set(conversation.id, { ...conversation, turns });
  await desk.session.conversations.open(conversation.id);
  return conversation.id;
}

const question = (desk: Desk) => desk.session.prompt.question();
const saved = (desk: Desk) => desk.asked.filter(({ method }) => method === "setDraft").map(({ payload }) => payload);

describe("what is typed and not sent", () => {
  test("is written down while it is typed, and there after a restart", async () => {
    const first = await started();
    const id = await asked(first);
    for (const text of ["H", "Ha", "Half a question"]) first.session.prompt.type(text);
    await eventually(() => expect(first.conversations.get(id)?.draft).toBe("Half a question"));
    expect(saved(first)).toHaveLength(1);

    const second = await started(first);
    await second.session.conversations.open(id);
    expect(question(second)).toBe("Half a question");
    // What came from the engine is not written back, but what is typed again is.
    second.session.flushDrafts();
    expect(saved(second)).toEqual([]);
    for (const text of ["Half", "Half a question"]) {
      second.session.prompt.type(text);
      second.session.flushDrafts();
      await eventually(() => expect(second.conversations.get(id)?.draft).toBe(text));
    }
  });

  test("stays with its conversation, an edited question too", async () => {
    const desk = await started();
    const first = await asked(desk);
    desk.session.prompt.startEditing("t1", "changed");
    await desk.session.conversations.createNew();
    expect(question(desk)).toBe("");
    desk.session.prompt.type("other");
    const second = desk.session.stores.conversations.getState().current?.id ?? "";
    await desk.session.conversations.open(first);
    expect(question(desk)).toBe("changed");
    desk.session.prompt.stopEditing();
    await desk.session.conversations.open(second);
    expect(question(desk)).toBe("other");
    await desk.session.conversations.open(first);
    expect(question(desk)).toBe("");
  });

  test("begins a conversation of its own where there is none", async () => {
    const desk = await started();
    expect(desk.session.stores.conversations.getState().current).toBeNull();
    desk.session.prompt.type("The first words");
    desk.session.flushDrafts();
    await eventually(() => expect([...desk.conversations.values()]).toMatchObject([{ draft: "" }]));
    desk.session.flushDrafts();
    await eventually(() => expect([...desk.conversations.values()]).toMatchObject([{ draft: "The first words" }]));
    expect(question(desk)).toBe("The first words");
  });

  test("is gone once it was sent, and nothing is said where its conversation was deleted", async () => {
    const desk = await started();
    const id = await asked(desk);
    desk.session.prompt.type("Why?");
    desk.session.flushDrafts();
    await desk.session.prompt.measure();
    await desk.session.send();
    desk.session.flushDrafts();
    await eventually(() => expect(saved(desk).at(-1)).toMatchObject({ conversationId: id }));
    desk.conversations.delete(id);
    desk.session.prompt.type("late");
    desk.session.flushDrafts();
    await eventually(() => expect(saved(desk).at(-1)).toMatchObject({ draft: "late" }));
    expect(desk.session.stores.shell.getState().problems.filter(({ problem }) => problem.code === "conversation-unknown")).toEqual([]);
  });
});
