import { z } from "zod";

// Chromium's traces, as far as the bench reads them. Times are in microseconds there, in milliseconds here.

const eventSchema = z.object({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  ts: z.number().default(0),
  dur: z.number().optional(),
  /** By the thread's own clock: what it computed, without the time in which others had its core. */
  tdur: z.number().optional(),
  args: z.unknown(),
});
type TraceEvent = z.infer<typeof eventSchema>;

export const traceSchema = z.object({ traceEvents: z.array(eventSchema) });

/** A task of the window's main thread. */
export type Task = {
  readonly startMs: number;
  /** By the clock on the wall, and by the thread's own; the latter is null where the system has none. */
  readonly wallMs: number;
  readonly threadMs: number | null;
  /** What it spent most of its time on, by name. */
  readonly inside: readonly string[];
};

const taskNames = new Set(["RunTask", "ThreadControllerImpl::RunTask"]);
const nameArgs = z.object({ name: z.string() });

/**
 * Tasks of one main thread between two marks.
 * @param pid of the window's renderer
 * @param marks names that `performance.mark` was given
 * @throws Error where the trace lacks the thread or a mark
 */
export function tasksBetween(events: readonly TraceEvent[], pid: number, marks: { readonly from: string; readonly to: string }): Task[] {
  const own = events.filter((event) => event.pid === pid);
  const thread = own.find(
    ({ ph, name, args }) => ph === "M" && name === "thread_name" && nameArgs.safeParse(args).data?.name === "CrRendererMain",
  );
  if (thread === undefined) throw new Error("The trace has no main thread of the window.");
  const onMain = own.filter(({ tid }) => tid === thread.tid);
  const timeOf = (mark: string): number => {
    const found = onMain.find(({ name }) => name === mark);
    if (found === undefined) throw new Error(`The trace has no mark “${mark}”.`);
    return found.ts;
  };
  const [from, to] = [timeOf(marks.from), timeOf(marks.to)];
  const complete = onMain.filter(({ ph, dur, ts }) => ph === "X" && dur !== undefined && ts >= from && ts < to);
  const tasks = complete.filter(({ name }) => taskNames.has(name));
  // Two categories may tell of the same task: the outer one counts.
  const outer = tasks.filter((task) => !tasks.some((other) => other !== task && contains(other, task)));
  return outer.map((task) => ({
    startMs: (task.ts - from) / 1000,
    wallMs: (task.dur ?? 0) / 1000,
    threadMs: task.tdur === undefined ? null : task.tdur / 1000,
    inside: (task.dur ?? 0) > notable ? longestInside(complete, task) : [],
  }));
}

/** Microseconds from which it is told what a task did. */
const notable = 20_000;

function contains(outer: TraceEvent, inner: TraceEvent): boolean {
  const [outerEnd, innerEnd] = [outer.ts + (outer.dur ?? 0), inner.ts + (inner.dur ?? 0)];
  return outer.ts <= inner.ts && outerEnd >= innerEnd && (outer.ts < inner.ts || outerEnd > innerEnd);
}

function longestInside(events: readonly TraceEvent[], task: TraceEvent): string[] {
  const sums = new Map<string, number>();
  for (const event of events) {
    if (event !== task && !taskNames.has(event.name) && contains(task, event))
      sums.set(event.name, (sums.get(event.name) ?? 0) + (event.dur ?? 0));
  }
  const longest = [...sums].sort((one, other) => other[1] - one[1]).slice(0, 6);
  return longest.map(([name, microseconds]) => `${name} ${Math.round(microseconds / 1000)} ms`);
}
