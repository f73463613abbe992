import type { ModelContext } from "../llama/context.ts";
import { expectedScores } from "./expectedAttention.ts";
import type { EvictionPlan } from "./plan.ts";
import { futurePositions, unexpectedTokens } from "./policies/expectedAttention.ts";
import { windowRows } from "./policies/policy.ts";
import { policyOf } from "./policies/table.ts";
import { joinScores, type KeptTokens, type Scores } from "./scores.ts";

/** Switches on what has to be scored while the prompt is read; to be called before it is. */
export function beforePrefill(context: ModelContext, plan: EvictionPlan): void {
  if (plan.stored !== undefined || plan.promptRows === 0) return;
  context.startScoring(isExpected(plan) ? "queries" : "prompt", plan.promptTokens - plan.promptRows);
}

/** How many of the prompt's last tokens must be read anew, because their attention is wanted. */
export function rowsToRead(plan: EvictionPlan | null): number {
  return plan?.stored === undefined ? Math.max(1, plan?.promptRows ?? 0) : 1;
}

/**
 * Scores the prompt that stands prefilled in the context, or takes its stored scores, and leaves the cache as it was. The logits of the last token are gone
 * afterwards: sample first.
 * @param answer of a policy that scores by a draft or by the real answer: its tokens, at most {@link EvictionPlan.rowsBehind}. Without any
 *   of them the prompt's own rows are all there is. Null for every other policy
 * @returns null for a policy without scores
 * @throws LongsightError `cancelled`, `model-unsupported`, `engine-failed`
 */
export async function scorePrompt(context: ModelContext, plan: EvictionPlan, answer: Uint32Array | null): Promise<Scores | null> {
  const { promptTokens, promptRows, stored } = plan;
  if (stored !== undefined) return stored;
  if (isExpected(plan)) return expectedScores(await context.expectedAttention(promptTokens, futurePositions), unexpectedTokens);
  const ofPrompt = promptRows > 0 ? context.scores(promptTokens) : null;
  const rows = rowsBehind(plan, answer);
  if (rows === null) return ofPrompt;
  const ofRows = await scoreBehind(context, promptTokens, rows);
  return ofPrompt === null ? ofRows : joinScores([ofPrompt, ofRows], [promptRows, rows.count]);
}

/** Whether the prompt's rows are examples of queries to come, and not what is scored by. */
function isExpected({ policy }: Pick<EvictionPlan, "policy">): boolean {
  return policyOf(policy).rows?.expected === true;
}

/** How many query rows {@link scorePrompt} takes the mean of; 0 where the scores are there already. */
export function scoredRows(plan: EvictionPlan, answer: Uint32Array | null): number {
  return plan.stored === undefined ? plan.promptRows + (rowsBehind(plan, answer)?.count ?? 0) : 0;
}

/** What is decoded behind the prompt, and how many rows it is. */
type Behind = { readonly count: number; decode(context: ModelContext, position: number): Promise<void> };

function rowsBehind({ lookahead }: EvictionPlan, answer: Uint32Array | null): Behind | null {
  if (lookahead !== null) {
    const { module, adapter } = lookahead;
    return {
      count: module.tokens,
      decode(context, position) {
        context.setAdapter(adapter);
        return context.decodeRows(module.embeddings, position);
      },
    };
  }
  if (answer === null || answer.length === 0) return null;
  return { count: answer.length, decode: (context, position) => context.decode(answer, position, false) };
}

/** The attention of rows that are decoded behind the prompt and removed again. */
async function scoreBehind(context: ModelContext, promptTokens: number, rows: Behind): Promise<Scores> {
  try {
    context.startScoring("probe", promptTokens);
    await rows.decode(context, promptTokens);
    return context.scores(promptTokens);
  } finally {
    context.setAdapter(null);
    context.truncate(promptTokens);
  }
}

/**
 * Scores a cache that is read in windows, by what is to come: tokens that are decoded behind it for a moment (the question, or what stands
 * for it), and a module's rows behind these. Without a module the view's own last rows score, as many as the policy takes. Also where
 * sliding windows are: two batches behind each other would overwrite what the window must hold.
 * @param position the next one
 * @param view 1 to a batch of tokens
 * @param options.viewCounts whether the view's rows score together with the module's: it will be read from what is kept, not from all
 * @returns scores in the cache's own counting, and how many rows they are the mean of
 * @throws LongsightError `cancelled`, `model-unsupported`, `engine-failed`
 */
export async function scoreByView(
  context: ModelContext,
  { policy, lookahead, promptTokens }: Pick<EvictionPlan, "policy" | "lookahead" | "promptTokens">,
  position: number,
  view: Uint32Array,
  options: { readonly hasWindows: boolean; readonly viewCounts: boolean },
): Promise<{ readonly scores: Scores; readonly rows: number }> {
  const { tokens } = context.shape();
  const end = position + view.length;
  const module = options.hasWindows ? null : lookahead;
  const viewRows = options.viewCounts ? view.length : 0;
  const wanted = policyOf(policy).rows?.ofPrompt(promptTokens) ?? 0;
  const rows = module === null ? Math.min(view.length, wanted === 0 ? windowRows : wanted) : viewRows + module.module.tokens;
  try {
    if (module === null || viewRows > 0) context.startScoring("probe", end - (module === null ? rows : viewRows));
    await context.decode(view, position, false);
    if (module !== null) {
      context.setAdapter(module.adapter);
      if (viewRows === 0) context.startScoring("probe", end);
      await context.decodeRows(module.module.embeddings, end);
    }
    return { scores: context.scores(tokens), rows };
  } finally {
    context.setAdapter(null);
    context.stopScoring();
    context.truncate(position);
  }
}

/**
 * The tokens to keep, for each layer and KV head.
 * @param shape of the cache they are kept from
 * @param scores from {@link scorePrompt}
 */
export function selectKept(plan: EvictionPlan, { layers, heads }: { layers: number; heads: number }, scores: Scores | null): KeptTokens {
  const policy = policyOf(plan.policy);
  if (policy.rows === null) return policy.select({ layers, heads, tokens: plan.promptTokens }, plan);
  if (scores === null) throw new TypeError(`The policy ${plan.policy} chooses by scores, and there are none.`);
  return policy.select(scores, plan);
}
