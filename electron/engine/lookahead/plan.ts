import type { Budget, Policy } from "../../contract/conversation.ts";
import { LongsightError } from "../../contract/errors.ts";
import type { Adapter } from "../llama/context.ts";
import type { LookaheadModule } from "./module.ts";
import { protectedTokens } from "./protect.ts";

/** A lookahead module and its LoRA, loaded for the model. */
export type LoadedModule = { readonly module: LookaheadModule; readonly adapter: Adapter };

/** How the kept tokens of one prompt are found. */
export type EvictionPlan = {
  readonly policy: Exclude<Policy, "full">;
  /** Tokens kept per layer and KV head, at most as many as the prompt has, and fewer where something is evicted. */
  readonly budget: number;
  readonly promptTokens: number;
  /** Ascending, at most `budget`. */
  readonly protectedTokens: Uint32Array;
  /** Rows of the prompt's end whose attention is the score (`snapkv`), 0 for none. */
  readonly windowRows: number;
  /** Rows of embeddings decoded after the prompt whose attention is the score (`lookahead`), null for none. */
  readonly lookahead: LoadedModule | null;
  /** Width of the max-pool over the scores. */
  readonly poolKernel: number;
  readonly seed: number;
};

/** SnapKV's observation window and pooling as the LookaheadKV paper runs it (arXiv 2603.10899, appendix F). */
const snapWindow = 32;
const snapPoolKernel = 7;

/**
 * A prompt's length and, for what every policy keeps, its end: where the question begins, and where it is over and the template's
 * tail begins.
 */
export type PromptPlaces = { readonly promptTokens: number; readonly questionStart: number; readonly tailStart: number };

/**
 * What a question and the tail may take of a budget without being scored. Half: a pasted question of a thousand tokens must leave
 * room for the document, and as a budget grows by two this grows by one, so budgets still nest.
 */
const questionShare = 0.5;

/**
 * @param prompt of which the tail is always kept, and as much of the question before it as goes into half the budget
 * @param loaded null for a model without a module: what `lookahead` would choose is then chosen by `snapkv`
 * @returns null where the full cache is kept: nothing is to be evicted, or the budget is no smaller than the prompt
 * @throws LongsightError `usage` for a budget and a policy that contradict each other, or a budget below the protected tokens
 */
export function planEviction(
  { policy, budget }: { readonly policy: Policy; readonly budget: Budget },
  prompt: PromptPlaces,
  loaded: LoadedModule | null,
  seed: number,
): EvictionPlan | null {
  refuseContradiction({ policy, budget });
  if (policy === "full" || budget === "full" || budget >= prompt.promptTokens) return null;
  return planKept({ policy, budget }, prompt, loaded, seed);
}

/**
 * The same where a plan is wanted in any case: a budget of the whole prompt keeps all of it, and is scored all the same.
 * @param budget at most the prompt's length
 * @throws LongsightError `usage` for a budget below the protected tokens
 */
export function planKept(
  { policy, budget }: { readonly policy: Exclude<Policy, "full">; readonly budget: number },
  prompt: PromptPlaces,
  loaded: LoadedModule | null,
  seed: number,
): EvictionPlan {
  const used = policy === "lookahead" && loaded === null ? "snapkv" : policy;
  const windowRows = used === "snapkv" ? Math.min(snapWindow, prompt.promptTokens) : 0;
  const lookahead = used === "lookahead" ? loaded : null;
  const questionStart = Math.max(prompt.questionStart, prompt.promptTokens - Math.floor(budget * questionShare));
  // SnapKV keeps its window, which is not scored by rows that cannot see it.
  const tailStart = Math.min(prompt.tailStart, questionStart, prompt.promptTokens - windowRows);
  return {
    policy: used,
    budget,
    promptTokens: prompt.promptTokens,
    protectedTokens: protectedTokens({ promptTokens: prompt.promptTokens, tailStart, budget }),
    windowRows,
    lookahead,
    poolKernel: lookahead?.module.poolKernel ?? snapPoolKernel,
    seed,
  };
}

/** @throws LongsightError `usage` where everything is to be kept and only a part of it */
export function refuseContradiction({ policy, budget }: { readonly policy: Policy; readonly budget: Budget }): void {
  if (policy === "full" && budget !== "full") {
    throw new LongsightError("usage", `The policy “full” keeps everything, a budget of ${budget} does not. Choose a policy, or no budget.`);
  }
  if (policy !== "full" && budget === "full") {
    throw new LongsightError("usage", `The policy “${policy}” needs a budget: how many tokens it keeps per layer and head.`);
  }
}
