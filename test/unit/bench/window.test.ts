import { describe, expect, it } from "vitest";
import { embeddedShape, madeScores } from "../../../bench/window/madeScores.ts";
import { brokenLines, proseOf } from "../../../bench/window/prose.ts";
import { smoothnessOf } from "../../../bench/window/smoothness.ts";
import { tasksBetween, traceSchema } from "../../../bench/window/trace.ts";

const [pid, main, other] = [7, 1, 2];
const event = (name: string, ts: number, more: object = {}) => ({ name, ph: "X", pid, tid: main, ts, args: {}, ...more });
const thread = (tid: number, name: string) => ({ name: "thread_name", ph: "M", pid, tid, args: { name } });

describe("tasksBetween", () => {
  const events = (...between: object[]) =>
    traceSchema.parse({
      traceEvents: [
        thread(main, "CrRendererMain"),
        thread(other, "Compositor"),
        event("ThreadControllerImpl::RunTask", 10_000, { dur: 900_000 }),
        event("from", 1_000_000, { ph: "R" }),
        ...between,
        event("to", 2_000_000, { ph: "R" }),
        event("ThreadControllerImpl::RunTask", 2_100_000, { dur: 900_000 }),
      ],
    }).traceEvents;
  const marks = { from: "from", to: "to" };

  it("are those of the window's main thread between the marks, by both clocks, in milliseconds", () => {
    const task = event("ThreadControllerImpl::RunTask", 1_100_000, { dur: 60_000, tdur: 12_000 });
    const found = tasksBetween(
      events(
        task,
        event("RunTask", 1_100_001, { dur: 59_000, tdur: 11_000 }),
        event("Layout", 1_101_000, { dur: 30_000 }),
        event("ThreadControllerImpl::RunTask", 1_300_000, { dur: 80_000, tid: other }),
        event("ThreadControllerImpl::RunTask", 1_300_000, { dur: 80_000, pid: 8 }),
        event("ThreadControllerImpl::RunTask", 1_400_000, { dur: 1000 }),
      ),
      pid,
      marks,
    );
    expect(found).toEqual([
      { startMs: 100, wallMs: 60, threadMs: 12, inside: ["Layout 30 ms"] },
      { startMs: 400, wallMs: 1, threadMs: null, inside: [] },
    ]);
  });

  it("are none where a trace lacks what is asked for: that is said", () => {
    expect(() => tasksBetween(events(), 8, marks)).toThrow("no main thread");
    expect(() => tasksBetween(events(), pid, { from: "from", to: "never" })).toThrow("no mark “never”");
  });
});

it("tells the longest frame and task, and how many are above 50 ms", () => {
  const tasks = [
    { wallMs: 60, threadMs: 20 },
    { wallMs: 50, threadMs: 10 },
  ];
  expect(smoothnessOf([0, 16, 32, 99, 115.55], tasks)).toEqual({
    frames: 4,
    longestFrameMs: 67,
    framesOver: 1,
    longestTaskMs: 60,
    tasksOver: 1,
    longestThreadMs: 20,
    threadTasksOver: 0,
  });
  expect(smoothnessOf([], [{ wallMs: 1, threadMs: null }])).toMatchObject({ frames: 0, longestFrameMs: 0, longestThreadMs: null });
});

it("makes scores that each head's sum up to 1, with a sink and a long tail, the same each time", () => {
  const tokens = 2000;
  const { values, ...shape } = madeScores(tokens);
  expect(shape).toEqual({ ...embeddedShape, tokens });
  const row = values.slice(3 * tokens, 4 * tokens);
  expect(row.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 1);
  expect(row[0]).toBe(0.5);
  const sorted = row.slice(1).sort().reverse();
  const share = sorted.slice(0, tokens / 20).reduce((sum, score) => sum + score, 0) / 0.5;
  expect(share).toBeGreaterThan(0.3);
  expect(share).toBeLessThan(0.8);
  expect(madeScores(tokens).values.every((score, place) => score === values[place])).toBe(true);
});

it("makes prose that does not repeat itself, in lines", () => {
  const text = proseOf(0, 200);
  expect(new Set(text.split(". ")).size).toBe(200);
  const lines = brokenLines(text, 92);
  expect(lines.every((line) => line.length <= 92 && line !== "")).toBe(true);
  expect(lines.join(" ")).toBe(text);
});
