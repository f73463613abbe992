import { drawToken, greedy, writeTokens } from "../../electron/engine/conversation/greedy.ts";
import type { ModelContext } from "../../electron/engine/llama/context.ts";
import { scorePrompt } from "../../electron/engine/lookahead/score.ts";
import type { Scores } from "../../electron/engine/lookahead/scores.ts";
import { selectTop } from "../../electron/engine/lookahead/select.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import { foundOf } from "../policies/recall.ts";
import { clear, readWithWindow } from "../quality/fullCache.ts";
import { oracleRule, type Prompt, type Rule } from "../quality/rules.ts";
import { kendallTau } from "./metrics/kendall.ts";
import type { TemperatureOutcome } from "./outcome.ts";

/** At which answers are sampled, and how many of the tokens with the highest scores are compared (LookaheadKV: 512). */
const temperatures = [0.2, 0.4, 0.6, 0.8, 1];
const counts = [64, 128, 512];
/** A prompt that is no longer has no recall. */
export const leastCount = Math.min(...counts);

/**
 * How far what an answer looks at depends on how it was sampled: scores by the attention of a greedy answer, the paper's truth, against those by
 * answers sampled at other temperatures, and against what rules predict. Nothing is pooled.
 * @param rules that score without the answer
 * @param seed of the samples
 */
export async function compareLooks(
  loaded: Loaded,
  prompt: Prompt,
  { rules, answerTokens, seed }: { readonly rules: readonly Rule[]; readonly answerTokens: number; readonly seed: number },
): Promise<Pick<TemperatureOutcome, "answerTokens" | "rows">> {
  const end = prompt.tokens.length;
  const { context, windowScores } = await readWithWindow(loaded, prompt);
  const drawings = [greedy, ...temperatures.map((temperature) => ({ temperature, seed }))];
  // All first tokens at once: the logits are gone with the next decode.
  const firsts: number[] = [];
  for (const drawing of drawings) firsts.push(await drawToken(loaded.model, context, drawing));
  const answers: number[][] = [];
  for (const [index, drawing] of drawings.entries()) {
    const first = firsts[index] ?? 0;
    const start = { first, position: end, maxTokens: answerTokens };
    const { tokens } = await writeTokens(loaded, context, start, drawing);
    clear(context, end);
    // An answer that is empty says where it ends: that is a row too.
    answers.push(tokens.length > 0 ? [...tokens] : [first]);
  }
  const [answer = [], ...sampled] = answers;
  const truth = await looksOf(context, prompt, answer);
  const rows: TemperatureOutcome["rows"] = [];
  for (const [index, tokens] of sampled.entries()) {
    rows.push({ name: `T ${temperatures[index] ?? 0}`, ...likeness(truth, await looksOf(context, prompt, tokens)) });
  }
  for (const rule of rules) {
    const scores = await rule.score({ context, prompt, windowScores, answer }, rule.plan(prompt, end));
    clear(context, end);
    if (scores !== null) rows.push({ name: rule.name, ...likeness(truth, scores) });
  }
  return { answerTokens: answer.length, rows };
}

/** Attention of an answer's tokens to the prompt. */
async function looksOf(context: ModelContext, prompt: Prompt, tokens: readonly number[]): Promise<Scores> {
  const end = prompt.tokens.length;
  const scores = await scorePrompt(context, oracleRule.plan(prompt, end), Uint32Array.from(tokens));
  clear(context, end);
  if (scores === null) throw new TypeError("An answer scores.");
  return scores;
}

/** Recall of the highest scores at each count below the prompt's length, and Kendall's τ-b, both means over layers and KV heads. */
export function likeness(truth: Scores, other: Scores): Pick<TemperatureOutcome["rows"][number], "recall" | "tau"> {
  const { tokens, layers, heads } = truth;
  const recall = counts
    .filter((count) => count < tokens)
    .map((count) => {
      const chosen = selectTop(other, count, new Uint32Array(0));
      return { of: count, share: foundOf(truth, chosen, chosen).truthRecall };
    });
  const rowOf = ({ values }: Scores, row: number) => values.subarray(row * tokens, (row + 1) * tokens);
  const taus = Array.from({ length: layers * heads }, (_, row) => kendallTau(rowOf(truth, row), rowOf(other, row))).filter(
    (tau) => tau !== null,
  );
  return { recall, tau: taus.length === 0 ? null : taus.reduce((sum, tau) => sum + tau, 0) / taus.length };
}
