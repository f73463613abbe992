import { readFileSync } from "node:fs";

/** Processor time since the machine was started, in ticks of Linux. */
export type Ticks = {
  /** Of all cores together, and what of that was not idle. A rented machine's core that somebody else had counts as busy. */
  readonly all: number;
  readonly busy: number;
  /** What this process took, and its children that have ended. */
  readonly own: number;
  readonly cores: number;
};

/**
 * @param machine what Linux has in /proc/stat. @param process what it has in /proc/PID/stat
 * @throws RangeError where they are something else
 */
export function ticksIn(machine: string, process: string): Ticks {
  const [, line] = /^cpu +([\d ]+)$/m.exec(machine) ?? [];
  // user, nice, system, idle, waiting for disks, interrupts, soft ones, stolen; what guests take is within the first two.
  const times = (line ?? "").trim().split(/ +/).slice(0, 8).map(Number);
  const [, , , idle = Number.NaN, waiting = Number.NaN] = times;
  const all = times.reduce((sum, time) => sum + time, 0);
  // Behind the name, which may have anything in it: the state is the third field, times are the 14th to the 17th.
  const taken = process
    .slice(process.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15)
    .map(Number);
  const own = taken.reduce((sum, time) => sum + time, 0);
  if (times.length < 8 || taken.length < 4 || !Number.isFinite(all + own)) throw new RangeError("These are no times of Linux.");
  return { all, busy: all - idle - waiting, own, cores: [...machine.matchAll(/^cpu\d+ /gm)].length };
}

/** Cores that others than this process and its children took between two moments, on average. */
export function coresOfOthers(before: Ticks, after: Ticks): number {
  const others = after.busy - before.busy - (after.own - before.own);
  const all = after.all - before.all;
  return all <= 0 ? 0 : Math.max(0, (others / all) * after.cores);
}

/** Now; null where the system does not tell. */
export function ticksNow(): Ticks | null {
  try {
    return ticksIn(readFileSync("/proc/stat", "utf8"), readFileSync("/proc/self/stat", "utf8"));
  } catch {
    return null;
  }
}
