import type { Timings } from "../../contract/conversation.ts";

/** A stage of an answer that a clock measures from the end of the one before. */
type ClockedStage = "prefillMs" | "scoringMs" | "evictionMs" | "snapshotMs" | "decodeMs";

export type Clock = {
  /** So much of the stage that runs now was another one's. */
  took(stage: "restoreMs", milliseconds: number): void;
  /** What went by since the last stage's end was this one. */
  end(stage: ClockedStage): void;
  /** Milliseconds since the start. */
  mark(moment: "firstTokenMs"): void;
  timings(): Omit<Timings, "extractMs">;
};

/** Measures the stages of one answer, one after the other; a stage may come several times. */
export function startClock(): Clock {
  const started = performance.now();
  const timings = { restoreMs: 0, prefillMs: 0, scoringMs: 0, evictionMs: 0, snapshotMs: 0, firstTokenMs: 0, decodeMs: 0 };
  let last = started;
  return {
    took(stage, milliseconds) {
      timings[stage] += milliseconds;
      last += milliseconds;
    },
    end(stage) {
      const now = performance.now();
      timings[stage] += now - last;
      last = now;
    },
    mark(moment) {
      timings[moment] = performance.now() - started;
    },
    timings: () => ({ ...timings }),
  };
}
