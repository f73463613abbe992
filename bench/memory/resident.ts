import { readFileSync, writeFileSync } from "node:fs";

/**
 * Memory of a process in bytes: what is resident now; what of it belongs to no file, so that the system cannot drop it and read it again, as it may the
 * weights; and the most that was ever resident, or since that was forgotten.
 */
export type Resident = { readonly now: number; readonly own: number; readonly most: number };

/** @param status what Linux has in /proc/PID/status. @throws RangeError where it lacks them, as of a process that has ended */
export function residentIn(status: string): Resident {
  const bytes = (name: string): number => {
    const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
    if (kibibytes === undefined) throw new RangeError(`There is no ${name}.`);
    return Number(kibibytes) * 1024;
  };
  return { now: bytes("VmRSS"), own: bytes("RssAnon") + bytes("RssShmem"), most: bytes("VmHWM") };
}

/** @throws where the process has ended */
export const residentOf = (pid: number | "self"): Resident => residentIn(readFileSync(`/proc/${pid}/status`, "utf8"));

/** Has Linux count the most of this process anew. @returns false where that is not allowed */
export function forgetMost(): boolean {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds of a clock that all processes of a machine share. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6;
