import { meanBudget } from "../../electron/engine/lookahead/kept.ts";
import type { KeptTokens, Scores } from "../../electron/engine/lookahead/scores.ts";
import { selectTop } from "../../electron/engine/lookahead/select.ts";

/**
 * How much of what the answer looks at was kept, the mean over layers and KV heads.
 * `recall`: of the K tokens that the answer looks at most, the share that is kept, where K are kept per layer and head on average (of
 * equal ones the earlier; the truth is not pooled, and protected tokens count like any others). `mass`: the share of the answer's attention
 * to the prompt that went to kept tokens.
 */
export type Found = { readonly recall: number; readonly mass: number };

/**
 * @param truth attention of the real answer
 * @throws RangeError for scores and tokens of different shapes
 */
export function foundOf(truth: Scores, kept: KeptTokens): Found {
  const { layers, heads, tokens, values } = truth;
  if (kept.layers !== layers || kept.heads !== heads || kept.tokens !== tokens)
    throw new RangeError("Scores and kept tokens are of different shapes.");
  const rows = layers * heads;
  const count = Math.round(meanBudget(kept));
  const best = selectTop(truth, count, new Uint32Array(0));
  let recall = 0;
  let mass = 0;
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const end = at + (kept.budgets[Math.floor(row / heads)] ?? 0);
    const chosen = new Set(kept.indices.subarray(at, end));
    at = end;
    let common = 0;
    for (const token of best.indices.subarray(row * count, (row + 1) * count)) if (chosen.has(token)) common += 1;
    recall += common / count;
    mass += massOf(values.subarray(row * tokens, (row + 1) * tokens), chosen);
  }
  return { recall: recall / rows, mass: mass / rows };
}

/** 0 where there is no attention at all. */
function massOf(row: Float32Array, chosen: ReadonlySet<number>): number {
  let all = 0;
  let kept = 0;
  row.forEach((value, token) => {
    all += value;
    if (chosen.has(token)) kept += value;
  });
  return all > 0 ? kept / all : 0;
}
