import { createHash } from "node:crypto";
import type { EvictionPlan } from "./plan.ts";
import { policyOf } from "./policies/table.ts";
import type { Scores } from "./scores.ts";

/** What scores are of, besides the loaded model and its cache type, which a shelf belongs to. */
export type ScoreSubject = {
  readonly prompt: Uint32Array;
  readonly plan: EvictionPlan;
  /** Path of the model that drafted the answer; null where none does. */
  readonly draftModel: string | null;
};

/**
 * Scores of the last prompts, so that another budget, or another policy that goes by the same rows, need not score (or read) them again.
 * Pins, budgets, shares and pooling may differ: they only choose. What a draft written from a kept cache has scored (`laq`) is not stored: it
 * depends on the budget and on the answer's first token.
 */
export type ScoreShelf = {
  /** @param approximate whether scores of a cache that was restored in 8 bits will do */
  find(subject: ScoreSubject, approximate: boolean): Scores | null;
  /** @param approximate whether the cache that was scored came from 8 bits */
  put(subject: ScoreSubject, scores: Scores, approximate: boolean): void;
};

/** Most bytes of scores, and most entries, that are held. SmolLM2 has 2.9 MB of them for 8,000 tokens, a model of 28 layers with 8 KV heads 29 MB for 32,768. */
export const scoreShelfLimits = { bytes: 64 * 1_048_576, entries: 8 } as const;

type Entry = { readonly scores: Scores; readonly approximate: boolean };

export function createScoreShelf(limits: { readonly bytes: number; readonly entries: number } = scoreShelfLimits): ScoreShelf {
  /** The one that was used last comes last. */
  const entries = new Map<string, Entry>();
  return {
    find(subject, approximate) {
      const key = keyOf(subject);
      const entry = key === null ? undefined : entries.get(key);
      if (key === null || entry === undefined || (entry.approximate && !approximate)) return null;
      entries.delete(key);
      entries.set(key, entry);
      return entry.scores;
    },
    put(subject, scores, approximate) {
      const key = keyOf(subject);
      if (key === null || scores.values.byteLength > limits.bytes) return;
      entries.delete(key);
      entries.set(key, { scores, approximate });
      let bytes = [...entries.values()].reduce((sum, entry) => sum + entry.scores.values.byteLength, 0);
      for (const [oldest, entry] of entries) {
        if (bytes <= limits.bytes && entries.size <= limits.entries) return;
        entries.delete(oldest);
        bytes -= entry.scores.values.byteLength;
      }
    },
  };
}

/** Null for what is not stored. */
function keyOf({ prompt, plan, draftModel }: ScoreSubject): string | null {
  const { promptRows, behind, lookahead } = plan;
  const isExpected = policyOf(plan.policy).rows?.expected === true;
  if (behind === "own-draft" || behind === "answer" || (promptRows === 0 && behind === null)) return null;
  const tokens = createHash("sha256")
    .update(new Uint8Array(prompt.buffer, prompt.byteOffset, prompt.byteLength))
    .digest("hex");
  const drafted = behind === "draft-model" ? draftModel : null;
  return JSON.stringify([tokens, promptRows, isExpected, behind, lookahead?.module.path ?? null, drafted]);
}

/** The same plan, with scores that are there already: nothing is scored, and no row has to be read anew for it. */
export function withStoredScores(plan: EvictionPlan, stored: Scores): EvictionPlan {
  return { ...plan, stored, rowsBehind: 0 };
}
