/** What was resident at one moment, by a shared clock in milliseconds. */
export type Sample = { readonly atMs: number; readonly bytes: number };

/** What was resident over time: a value for each stretch of `everyMs`, the most in it. */
export type Course = { readonly everyMs: number; readonly bytes: number[] };

/** More say nothing more in a plot. */
const mostPoints = 100;

/**
 * Samples as a course from a moment on. A stretch in which nothing was sampled has the value before it.
 * @param samples ascending. @param leastMs of a stretch
 */
export function courseOf(samples: readonly Sample[], fromMs: number, toMs: number, leastMs: number): Course {
  const everyMs = Math.max(leastMs, Math.ceil((toMs - fromMs) / mostPoints));
  const within = samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  const bytes: number[] = [];
  for (let index = 0; index * everyMs < toMs - fromMs; index++) {
    const start = fromMs + index * everyMs;
    const own = within.filter(({ atMs }) => atMs >= start && atMs < start + everyMs).map((sample) => sample.bytes);
    const last = bytes.at(-1) ?? within[0]?.bytes;
    if (own.length > 0) bytes.push(Math.max(...own));
    else if (last !== undefined) bytes.push(last);
  }
  return { everyMs, bytes };
}
