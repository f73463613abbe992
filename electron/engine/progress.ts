import type { ProgressEvent, Stage } from "../contract/engine.ts";

/** One measurement of a stage: units done after so many milliseconds. */
type Sample = { readonly done: number; readonly elapsed: number };

/**
 * Milliseconds a stage still needs, from its own speed so far. The cost of a unit may grow with what is already done (attention
 * reads every earlier token), so the line `cost = a + b · done` is fitted to the steps and summed to the end.
 * @returns null while fewer than two steps or half a second were seen
 */
export function remainingMilliseconds(samples: readonly Sample[], total: number): number | null {
  const first = samples[0];
  const last = samples[samples.length - 1];
  if (first === undefined || last === undefined || samples.length < 3 || last.elapsed - first.elapsed < 500) return null;
  let weights = 0;
  let middles = 0;
  let costs = 0;
  let squares = 0;
  let products = 0;
  let previous = first;
  for (const sample of samples.slice(1)) {
    const units = sample.done - previous.done;
    if (units > 0) {
      const middle = (sample.done + previous.done) / 2;
      const cost = (sample.elapsed - previous.elapsed) / units;
      weights += units;
      middles += units * middle;
      costs += units * cost;
      squares += units * middle * middle;
      products += units * middle * cost;
    }
    previous = sample;
  }
  if (weights === 0) return null;
  const left = Math.max(0, total - last.done);
  const spread = squares - (middles * middles) / weights;
  // With few steps a slope is noise: a growing cost is believed, a falling one is not.
  const slope = spread > 0 ? Math.max(0, (products - (middles * costs) / weights) / spread) : 0;
  const base = (costs - slope * middles) / weights;
  return Math.max(0, left * (base + slope * ((last.done + total) / 2)));
}

/** Said once by what waits until another answer or load has ended. */
export const waitingEvent: ProgressEvent = { event: "progress", stage: "wait", fraction: 0, done: 0, total: 1, secondsLeft: null };

export type StageProgress = {
  /** Reports that `done` of the stage's units are done. */
  update(done: number): void;
};

/**
 * Progress of one stage, at most ten reports a second, the first and the last always.
 * @param total units in all
 * @param now milliseconds of a clock that never goes back
 * @param from units that were done before: no measure of the stage's speed
 */
export function startProgress(
  stage: Stage,
  total: number,
  emit: (event: ProgressEvent) => void,
  { now = () => performance.now(), from = 0 }: { readonly now?: () => number; readonly from?: number } = {},
): StageProgress {
  const started = now();
  const samples: Sample[] = [{ done: from, elapsed: 0 }];
  let reported = -Infinity;
  let highest = from;
  let finished = false;
  const report = (done: number, elapsed: number) => {
    reported = elapsed;
    finished = done >= total;
    const left = remainingMilliseconds(samples, total);
    emit({
      event: "progress",
      stage,
      fraction: total === 0 ? 1 : Math.min(1, done / total),
      done,
      total,
      secondsLeft: finished ? 0 : left === null ? null : left / 1000,
    });
  };
  report(from, 0);
  return {
    update(done) {
      if (finished) return;
      highest = Math.max(highest, Math.min(done, total));
      const elapsed = now() - started;
      samples.push({ done: highest, elapsed });
      if (elapsed - reported >= 100 || highest >= total) report(highest, elapsed);
    },
  };
}

/**
 * Progress of reading a prompt, told by places in it. Whoever reads on behind what another has read goes on with the same, so that the stage
 * has one beginning and one end.
 */
export type ReadingProgress = {
  /** Reading begins here: what is before was there already. Only the first beginning counts. */
  begin(position: number): void;
  /** Everything before `position` is read. */
  update(position: number): void;
};

/** @param end where the prompt ends */
export function startReading(end: number, emit: (event: ProgressEvent) => void): ReadingProgress {
  let from = 0;
  let stage: StageProgress | null = null;
  return {
    begin(position) {
      if (stage !== null) return;
      from = position;
      stage = startProgress("prefill", end - from, emit);
    },
    update: (position) => stage?.update(position - from),
  };
}
