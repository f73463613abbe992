import type { HeldTokens } from "./held.ts";
import { mostHeld } from "./held.ts";
import type { KeptTokens, Scores } from "./scores.ts";

/**
 * The best score that each token a cache holds has had so far, in the order in which the cache holds them: `[layer × heads + head]`. A text
 * that is read in windows is looked at by the same question after each. Each look chooses a little differently, and what one look loses cannot
 * come back: by the latest one alone, a passage that every single look would have kept in half the heads is gone after ten.
 */
export type Looks = readonly Float32Array[];

/**
 * What a new look found, or an earlier one where that found more.
 * @param scores in the cache's own counting, of as many tokens as the fullest layer holds
 * @param held what they are scores of; `earlier` are of the tokens that come first in it
 */
export function withEarlier(scores: Scores, held: HeldTokens, earlier: Looks): Scores {
  const tokens = mostHeld(held);
  const values = scores.values.slice();
  held.rows.forEach((row, index) => {
    const first = index * tokens + tokens - row.length;
    earlier[index]?.forEach((score, place) => {
      const latest = values[first + place] ?? Number.NaN;
      // What is no score, before or now, found nothing, and takes nothing from what did.
      if (score > latest || Number.isNaN(latest)) values[first + place] = score;
    });
  });
  return { ...scores, values };
}

/** The scores of what was kept by them. @param kept in the same counting */
export function looksOf({ tokens, values }: Scores, { heads, budgets, indices }: KeptTokens): Looks {
  const looks: Float32Array[] = [];
  let at = 0;
  for (const budget of budgets) {
    for (let head = 0; head < heads; head++, at += budget) {
      const row = looks.length * tokens;
      looks.push(Float32Array.from(indices.subarray(at, at + budget), (token) => values[row + token] ?? 0));
    }
  }
  return looks;
}
