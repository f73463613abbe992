import { LongsightError } from "../contract/errors.ts";
import { say } from "../contract/said.ts";

/** Runs tasks one after another: one model computes one thing at a time. */
export type Queue = {
  /** @param onWait called once if the task has to wait for others. @throws LongsightError `cancelled` when aborted while waiting */
  run<Result>(signal: AbortSignal, task: () => Promise<Result>, onWait?: () => void): Promise<Result>;
  readonly length: number;
};

export function createQueue(): Queue {
  let tail: Promise<unknown> = Promise.resolve();
  let length = 0;
  return {
    get length() {
      return length;
    },
    run(signal, task, onWait) {
      if (signal.aborted) return Promise.reject(stopped());
      if (length > 0) onWait?.();
      length += 1;
      let started = false;
      const turn = tail.then(() => {
        if (signal.aborted) throw stopped();
        started = true;
        return task();
      });
      const done = turn.finally(() => {
        length -= 1;
      });
      tail = done.catch(() => undefined);
      return new Promise((resolve, reject) => {
        // Someone who gives up while waiting is told at once, not when the one before has finished.
        signal.addEventListener("abort", () => {
          if (!started) reject(stopped());
        });
        done.then(resolve, reject);
      });
    },
  };
}

function stopped(): LongsightError {
  return new LongsightError("cancelled", say("stoppedBeforeBegin"));
}
