import type { StreamEvent } from "../../electron/contract/engine.ts";
import type { Resident } from "./resident.ts";
import type { Way } from "./rows.ts";

/** From the process's start: nothing is loaded, the model and its cache are, the prompt is read … and a second after the answer. */
export const stages = ["start", "load", "prefill", "scoring", "eviction", "decode", "after"] as const;
export type Stage = (typeof stages)[number];

/** A stage and what was resident in it, by a shared clock in milliseconds. */
export type StageMemory = {
  readonly stage: Stage;
  readonly fromMs: number;
  readonly toMs: number;
  readonly mostBytes: number;
  /** As it ended, and what of that belongs to no file. */
  readonly endBytes: number;
  readonly ownBytes: number;
};

/**
 * The stage that an answer is in after an event. Where it is evicted for the question, the first token is sampled from the full cache, and decoding begins
 * with the kept one. In the other modes evictions are part of reading, and no event tells of them.
 */
export function stageAfter(stage: Stage, event: StreamEvent, way: Way): Stage {
  if (event.event !== "progress") return stage;
  switch (event.stage) {
    case "prefill":
      return "prefill";
    case "draft":
    case "scoring":
      return "scoring";
    case "eviction":
      return event.fraction < 1 ? "eviction" : "decode";
    case "decode":
      return way === "question" && stage !== "decode" ? stage : "decode";
    default:
      return stage;
  }
}

export type StageMeter = {
  /** What is resident now counts for the stage that is on. */
  look(): void;
  /** Ends the stage that is on, with what was last looked at in it, and begins another. */
  begin(stage: Stage): void;
  /** Ends the last one. */
  end(): StageMemory[];
};

/** @param source.forgetMost has the most counted anew; false where that cannot be */
export function createStageMeter(
  first: Stage,
  source: { readonly now: () => number; readonly read: () => Resident; readonly forgetMost: () => boolean },
): StageMeter {
  const done: StageMemory[] = [];
  const start = (stage: Stage) => {
    const before = source.read();
    return { stage, fromMs: source.now(), before, isForgotten: source.forgetMost(), seen: before.now, last: before };
  };
  let current = start(first);
  const look = () => {
    current.last = source.read();
    current.seen = Math.max(current.seen, current.last.now);
  };
  const close = () => {
    const { stage, fromMs, before, isForgotten, seen, last } = current;
    const { now, most } = source.read();
    // Without forgetting, the most is this stage's only where it rose.
    const known = isForgotten || most > before.most ? most : 0;
    done.push({ stage, fromMs, toMs: source.now(), mostBytes: Math.max(known, seen, now), endBytes: last.now, ownBytes: last.own });
  };
  return {
    look,
    begin(stage) {
      if (stage === current.stage) return;
      close();
      current = start(stage);
    },
    end() {
      look();
      close();
      return done;
    },
  };
}
