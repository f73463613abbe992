import { meanBudget } from "../../electron/engine/lookahead/kept.ts";
import type { KeptTokens, Scores } from "../../electron/engine/lookahead/scores.ts";
import { selectTop } from "../../electron/engine/lookahead/select.ts";

/**
 * How much of what the answer looks at was kept, the mean over layers and KV heads.
 * `recall`: the share of what `oracle` keeps with the same budget, which is pooled and has protected tokens like the others.
 * `truthRecall`: the share of the K tokens that the answer looks at most, K being the mean budget (of equal ones the earlier), nothing
 * pooled: what training's evaluation reports. `mass`: the share of the answer's attention to the prompt that went to kept tokens.
 */
export type Found = { readonly recall: number; readonly truthRecall: number; readonly mass: number };

/**
 * @param truth attention of the real answer
 * @param oracle what the policy of that name keeps
 * @throws RangeError for scores and tokens of different shapes
 */
export function foundOf(truth: Scores, oracle: KeptTokens, kept: KeptTokens): Found {
  const { layers, heads, tokens, values } = truth;
  for (const other of [oracle, kept]) {
    if (other.layers === layers && other.heads === heads && other.tokens === tokens) continue;
    throw new RangeError("Scores and kept tokens are of different shapes.");
  }
  const rows = rowsOf(kept);
  const best = rowsOf(selectTop(truth, Math.round(meanBudget(kept)), new Uint32Array(0)));
  const wanted = rowsOf(oracle);
  const sums = { recall: 0, truthRecall: 0, mass: 0 };
  for (const [row, indices] of rows.entries()) {
    const chosen = new Set(indices);
    sums.recall += shareOf(wanted[row], chosen);
    sums.truthRecall += shareOf(best[row], chosen);
    sums.mass += massOf(values.subarray(row * tokens, (row + 1) * tokens), chosen);
  }
  const { recall, truthRecall, mass } = sums;
  return { recall: recall / rows.length, truthRecall: truthRecall / rows.length, mass: mass / rows.length };
}

/** The kept tokens of each layer and head. */
function rowsOf({ layers, heads, budgets, indices }: KeptTokens): Uint32Array[] {
  let at = 0;
  return Array.from({ length: layers * heads }, (_, row) => {
    const from = at;
    at += budgets[Math.floor(row / heads)] ?? 0;
    return indices.subarray(from, at);
  });
}

function shareOf(wanted: Uint32Array | undefined, chosen: ReadonlySet<number>): number {
  if (wanted === undefined || wanted.length === 0) return 0;
  return wanted.reduce((count, token) => count + (chosen.has(token) ? 1 : 0), 0) / wanted.length;
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
