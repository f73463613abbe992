import { medianOf } from "../quality/averages.ts";
import { tableOf } from "../quality/table.ts";

/** A run of an answer's tokens, all of the same length, and what it took. */
export type Interval = {
  /** Tokens of the answer before it. */
  readonly from: number;
  /** Of one token, by the clock and by the processor, all threads together. */
  readonly tokenMs: number;
  readonly tokenCpuMs: number;
  /** At its end: the process's resident memory, and the allocated caches. */
  readonly residentBytes: number;
  readonly cacheBytes: number;
};

/** A figure in the middle of the run and at its end, and whether it rose by more than what is put down to chance. */
export type Course = { readonly before: number; readonly after: number; readonly isRising: boolean };
export type Verdict = { readonly resident: Course; readonly cache: Course; readonly time: Course; readonly cpu: Course };

/** The first part of a run, in which everything is touched for the first time. */
const warmUp = 0.25;
/** What a figure may rise by without counting: resident memory has the heap's garbage in it, times have other programs. */
const tolerances: Readonly<Record<keyof Verdict, number>> = { resident: 0.02, cache: 0, time: 0.1, cpu: 0.1 };

/**
 * Holds the second half of a run against the first, after its warm-up: by their medians, but caches by the most that they took.
 * @param intervals in their order, at least three
 * @throws RangeError for fewer
 */
export function judge(intervals: readonly Interval[]): Verdict {
  const steady = intervals.slice(Math.ceil(intervals.length * warmUp));
  const half = Math.floor(steady.length / 2);
  if (half < 1) throw new RangeError("A verdict takes at least three intervals.");
  const courseOf = (name: keyof Verdict, read: (interval: Interval) => number, sum: (values: number[]) => number = medianOf): Course => {
    const before = sum(steady.slice(0, half).map(read));
    const after = sum(steady.slice(-half).map(read));
    return { before, after, isRising: after > before * (1 + tolerances[name]) };
  };
  return {
    resident: courseOf("resident", ({ residentBytes }) => residentBytes),
    cache: courseOf(
      "cache",
      ({ cacheBytes }) => cacheBytes,
      (values) => Math.max(...values),
    ),
    time: courseOf("time", ({ tokenMs }) => tokenMs),
    cpu: courseOf("cpu", ({ tokenCpuMs }) => tokenCpuMs),
  };
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

/** At most twenty of the intervals, evenly spread. */
export function courseTable(intervals: readonly Interval[]): string {
  const stride = Math.ceil(intervals.length / 20);
  const shown = intervals.filter((_, index) => index % stride === 0 || index === intervals.length - 1);
  return tableOf([
    ["from token", "ms a token", "of the processor", "resident MB", "caches MB"],
    ...shown.map(({ from, tokenMs, tokenCpuMs, residentBytes, cacheBytes }) => [
      from.toLocaleString("en"),
      tokenMs.toFixed(2),
      tokenCpuMs.toFixed(2),
      megabytes(residentBytes),
      megabytes(cacheBytes),
    ]),
  ]);
}

/** A sentence for each figure. */
export function verdictLines({ resident, cache, time, cpu }: Verdict): string[] {
  const line = (what: string, { before, after, isRising }: Course, show: (value: number) => string) =>
    `${what}: ${show(before)}, later ${show(after)}: ${isRising ? "IT RISES" : "no rise"}`;
  return [
    line("caches", cache, (bytes) => `${megabytes(bytes)} MB`),
    line("resident memory", resident, (bytes) => `${megabytes(bytes)} MB`),
    line("a token", time, (ms) => `${ms.toFixed(2)} ms`),
    line("a token, of the processor", cpu, (ms) => `${ms.toFixed(2)} ms`),
  ];
}
