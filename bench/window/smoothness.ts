import type { Task } from "./trace.ts";

/** Milliseconds that neither a frame nor a task may take (issue 7). */
export const limitMs = 50;

/** What one action of a person did to the window. Times in milliseconds. */
export type Smoothness = {
  readonly frames: number;
  /** Between two frames that the page was asked to draw. */
  readonly longestFrameMs: number;
  readonly framesOver: number;
  /** Of the main thread, by the clock on the wall and by the thread's own; the latter is free of what other programs took of its core. */
  readonly longestTaskMs: number;
  readonly tasksOver: number;
  readonly longestThreadMs: number | null;
  readonly threadTasksOver: number | null;
};

/** @param frameTimes when frames were begun, ascending */
export function smoothnessOf(frameTimes: readonly number[], tasks: readonly Pick<Task, "wallMs" | "threadMs">[]): Smoothness {
  const frames = frameTimes.slice(1).map((time, index) => time - (frameTimes[index] ?? time));
  const walls = tasks.map(({ wallMs }) => wallMs);
  const threads = tasks.flatMap(({ threadMs }) => (threadMs === null ? [] : [threadMs]));
  const hasThreads = threads.length > 0;
  return {
    frames: frames.length,
    longestFrameMs: longest(frames),
    framesOver: over(frames),
    longestTaskMs: longest(walls),
    tasksOver: over(walls),
    longestThreadMs: hasThreads ? longest(threads) : null,
    threadTasksOver: hasThreads ? over(threads) : null,
  };
}

const longest = (times: readonly number[]): number => Math.round(10 * times.reduce((most, time) => Math.max(most, time), 0)) / 10;
const over = (times: readonly number[]): number => times.filter((time) => time > limitMs).length;
