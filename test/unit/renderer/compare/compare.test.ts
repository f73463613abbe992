import { afterEach, describe, expect, test } from "vitest";
import type { StreamEvent } from "../../../../electron/contract/engine.ts";
import { differencesOf } from "../../../../renderer/compare/differences.ts";
import { createDesk, type Desk, eventually, figures, type Handler, turnOf } from "../fakeEngine.ts";

describe("differences of two answers", () => {
  const marked = (full: string, kept: string) => {
    const found = differencesOf(full, kept);
    const side = (pieces: readonly { text: string; differs: boolean }[]) =>
      pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join("");
    return found === null ? null : [side(found.full), side(found.kept), found.words.full, found.words.kept];
  };

  test("are marked by whole words, and counted without blanks and signs", () => {
    expect(marked("At most 3 A while charging.", "At most 5 A while it is charging.")).toEqual([
      "At most [3] A while charging.",
      "At most [5] A while [it is ]charging.",
      1,
      3,
    ]);
    expect(marked("same\n\ntext", "same\n\ntext")).toEqual(["same\n\ntext", "same\n\ntext", 0, 0]);
    expect(marked("", "new")).toEqual(["", "[new]", 0, 1]);
  });

  test("give both texts back whole", () => {
    const found = differencesOf("a b c d", "x b d e");
    expect(found?.full.map(({ text }) => text).join("")).toBe("a b c d");
    expect(found?.kept.map(({ text }) => text).join("")).toBe("x b d e");
  });

  test("of long texts without anything in common are given up rather than waited for", () => {
    const words = (letter: string) => Array.from({ length: 30_000 }, (_, index) => `${letter}${index}`).join(" ");
    const started = Date.now();
    differencesOf(words("a"), words("b"));
    expect(Date.now() - started).toBeLessThan(5000);
  });
});

describe("a comparison", () => {
  let desk: Desk;
  afterEach(() => desk.session.dispose());
  const compared = () => desk.session.stores.compare.getState().compared;
  const asked = () => desk.asked.filter(({ method }) => method === "compare").map(({ payload }) => payload);
  const progress = (stage: "prefill" | "decode"): StreamEvent => ({
    event: "progress",
    stage,
    fraction: 0.5,
    done: 1,
    total: 2,
    secondsLeft: null,
  });
  const reading = { cachedTokens: 0, restoredTokens: 0, evaluatedTokens: 430, restoreMs: 0, prefillMs: 900, scoringMs: 100 };
  const kept = { ...figures, answer: "whole other", policy: "snapkv", budget: 108, keptTokens: 108 } as const;

  async function started(compare: Handler): Promise<void> {
    desk = createDesk({ compare });
    await desk.session.start();
    await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
    const conversation = await desk.session.conversations.ensureCurrent();
    const turns = [turnOf("t1", { status: "done", answer: "whole", figures: { ...figures, seed: 41 } })];
    desk.conversations.set(conversation.id, { ...conversation, turns });
    await desk.session.conversations.open(conversation.id);
    desk.session.compare.open({ ...turnOf("t1"), figures });
  }

  test("is asked in place of its turn, by its seed, at a quarter of the prompt where nothing is set", async () => {
    const writing: unknown[] = [];
    await started(async (_: unknown, { emit }: { emit: (event: StreamEvent) => void }) => {
      for (const stage of ["prefill", "decode", "prefill", "decode"] as const) emit(progress(stage));
      return { reading, full: figures, kept };
    });
    const end = desk.session.stores.compare.subscribe(({ compared: now }) => writing.push(now?.writing));
    expect(desk.session.stores.shell.getState().dialog).toBe("compare");
    expect(asked()).toEqual([]);
    await desk.session.compare.run(compared()?.budget ?? 0);
    end();
    expect(asked()).toMatchObject([
      { replaceTurnId: "t1", question: "question t1", budget: 108, policy: "snapkv", sampling: { seed: 41 } },
    ]);
    expect([...new Set(writing)]).toEqual([null, "full", "kept"]);
    expect(compared()).toMatchObject({ running: false, result: { kept: { answer: "whole other" } } });
  });

  test("is asked with the policy that chose for the answer, whatever is set for the next ones", async () => {
    await started(async () => ({ reading, full: figures, kept }));
    const turns = [turnOf("t1", { status: "done", answer: "whole", figures: { ...kept, policy: "tova", mode: "once" } })];
    desk.session.stores.conversations.setState(({ current }) => ({ current: current === null ? null : { ...current, turns } }));
    await desk.session.compare.run(108);
    expect(asked()).toMatchObject([{ policy: "tova", budget: 108 }]);
  });

  test("says what went wrong in its place, and nothing where it was stopped", async () => {
    await started(() => new Promise(() => undefined));
    const running = desk.session.compare.run(64);
    await eventually(() => expect(asked()).toHaveLength(1));
    desk.session.compare.stop();
    await running;
    expect(compared()).toMatchObject({ running: false, problem: null, result: null });
    desk.handlers.compare = () => {
      throw new Error("broken");
    };
    await desk.session.compare.run(64);
    expect(compared()?.problem).toMatchObject({ code: "engine-failed" });
  });
});
