import { afterEach, describe, expect, test } from "vitest";
import { withAsked, withLive } from "../../../../renderer/answer/answerStore.ts";
import { withDocument, withOpening, withOpeningChanged, withoutOpening } from "../../../../renderer/documents/documentsStore.ts";
import { longRead, watchLongReads } from "../../../../renderer/shell/longReads.ts";
import { createDesk, type Desk, eventually, summaryOf } from "../fakeEngine.ts";

let time = 0;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A desk whose long reads are timed by this file's clock alone. */
function watched(): Desk {
  const desk = createDesk();
  ends.push(watchLongReads({ stores: desk.session.stores, shell: desk.session.context.shell, now: () => time }));
  return desk;
}

function openSlowly(desk: Desk, letter: string, took: number): void {
  const { documents } = desk.session.stores;
  const summary = summaryOf(letter);
  documents.setState((state) => withOpening(state, letter, summary.path, null, "c1"));
  time += took;
  documents.setState((state) => withDocument(state, summary));
  documents.setState((state) => withoutOpening(state, letter));
}

function readPrompt(desk: Desk, conversationId: string, took: number): void {
  const { answer } = desk.session.stores;
  answer.setState((state) => withAsked(state, conversationId, "Why?", null));
  const progress = { event: "progress", stage: "prefill", fraction: 0, done: 0, total: 9, secondsLeft: null } as const;
  answer.setState((state) => withLive(state, conversationId, () => ({ progress })));
  time += took;
  answer.setState((state) => withLive(state, conversationId, () => ({ text: "Because" })));
  answer.setState((state) => withLive(state, conversationId, () => ({ text: "Because of it" })));
}

describe("the end of a read", () => {
  test("is told to main when it took more than half a minute", async () => {
    const desk = watched();
    openSlowly(desk, "a", longRead - 1);
    openSlowly(desk, "b", longRead);
    await eventually(() =>
      expect(desk.told).toEqual([{ method: "notify", payload: { title: "“b.pdf” was read", body: "It is open; you can ask about it." } }]),
    );
  });

  test("is told once for a question, when its answer begins, from the time that reading began", async () => {
    const desk = watched();
    readPrompt(desk, "c1", longRead - 1);
    readPrompt(desk, "c2", longRead + 1);
    await eventually(() => expect(desk.told).toHaveLength(1));
    expect(desk.told[0]?.payload).toEqual({ title: "The documents were read", body: "The answer is being written." });
  });

  test("is not told of a file that could not be read", async () => {
    const desk = watched();
    const { documents } = desk.session.stores;
    documents.setState((state) => withOpening(state, "k", "/files/x.pdf", null, "c1"));
    time += 2 * longRead;
    documents.setState((state) => withOpeningChanged(state, "k", { status: "failed" }));
    documents.setState((state) => withoutOpening(state, "k"));
    openSlowly(desk, "b", longRead);
    await eventually(() => expect(desk.told).toHaveLength(1));
  });
});
