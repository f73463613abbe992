/** Milliseconds of work between two chances for the window to do something else. */
const slice = 8;

/** Runs work that pauses where it may, in slices; null where it was stopped. */
export async function inSlices<Result>(work: Generator<undefined, Result>, signal: AbortSignal): Promise<Result | null> {
  let until = performance.now() + slice;
  for (;;) {
    const step = work.next();
    if (step.done === true) return signal.aborted ? null : step.value;
    if (performance.now() < until) continue;
    await new Promise((resume) => setTimeout(resume, 0));
    if (signal.aborted) return null;
    until = performance.now() + slice;
  }
}
