import type { Budget } from "../../contract/conversation.ts";
import { LongsightError } from "../../contract/errors.ts";
import type { ChoosingPolicy, Policy } from "../../contract/policies.ts";
import { say } from "../../contract/said.ts";
import type { Adapter } from "../llama/context.ts";
import type { LookaheadModule } from "./module.ts";
import { type Choice, draftTokens, type PolicyName, type RowsBehind } from "./policies/policy.ts";
import { policyOf } from "./policies/table.ts";
import { defaultSinks, protectedTokens, type TokenRange, tokensIn } from "./protect.ts";
import type { Scores } from "./scores.ts";
import type { DocumentShares } from "./shares.ts";

/** A lookahead module and its LoRA, loaded for the model. */
export type LoadedModule = { readonly module: LookaheadModule; readonly adapter: Adapter };

/**
 * How the kept tokens of one prompt are found: what a policy chooses by, and what has to be known before it can. `budget` is at most
 * as many as the prompt has, and fewer where something is evicted.
 */
export type EvictionPlan = Choice & {
  readonly share?: DocumentShares;
  readonly policy: PolicyName;
  readonly promptTokens: number;
  /** What is decoded behind the prompt for its attention (see policies/policy.ts); null for nothing. */
  readonly behind: RowsBehind | null;
  /** Cells that it needs beside the prompt's. */
  readonly rowsBehind: number;
  /** The module whose rows these are; null without. */
  readonly lookahead: LoadedModule | null;
  /** Passages that are kept by this and every later choice, within the prompt; they are among the protected tokens. */
  readonly pinned: readonly TokenRange[];
  /** The scores, where they are there already (see scoreShelf.ts). */
  readonly stored?: Scores;
};

/**
 * A prompt's length and, for what every policy keeps, its end: where the question begins, and where it is over and the template's tail
 * begins. In the modes that evict before the question is read the question belongs to the tail.
 */
export type PromptPlaces = { readonly promptTokens: number; readonly questionStart: number; readonly tailStart: number };

/** A prompt, as far as a plan depends on it. */
export type PlannedPrompt = PromptPlaces & {
  /** Passages that every policy keeps, in any order. */
  readonly pinned?: readonly TokenRange[];
  /** Between its documents; left out, by score. */
  readonly share?: DocumentShares;
};

/**
 * What a question and the tail may take, without being scored, of what pinned passages leave of a budget. Half: a pasted question of a thousand tokens must leave
 * room for the document, and as a budget grows by two this grows by one, so budgets still nest.
 */
const questionShare = 0.5;

/**
 * @param prompt of which the tail is always kept, and as much of the question before it as goes into half of what pins leave of the budget
 * @param loaded null for a model without a module: what `lookahead` would choose is then chosen by `snapkv`
 * @returns null where the full cache is kept: nothing is to be evicted, or the budget is no smaller than the prompt
 * @throws LongsightError `usage` for a budget and a policy that contradict each other, or a budget below the protected tokens
 */
export function planEviction(
  { policy, budget }: { readonly policy: Policy; readonly budget: Budget },
  prompt: PlannedPrompt,
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
  { policy, budget }: { readonly policy: PolicyName; readonly budget: number },
  { promptTokens, questionStart, tailStart, pinned = [], share }: PlannedPrompt,
  loaded: LoadedModule | null,
  seed: number,
): EvictionPlan {
  const used = policyOf(policy).rows?.behind === "module" && loaded === null ? policyOf("snapkv") : policyOf(policy);
  const promptRows = used.rows?.ofPrompt(promptTokens) ?? 0;
  const behind = used.rows?.behind ?? null;
  const lookahead = behind === "module" ? loaded : null;
  const free = budget - tokensIn(pinned, promptTokens).length;
  const ofQuestion = Math.max(0, Math.min(Math.floor(free * questionShare), free - defaultSinks));
  const windowStart = used.rows?.keepsThem === true ? promptTokens - promptRows : promptTokens;
  const kept = Math.min(tailStart, Math.max(questionStart, promptTokens - ofQuestion), windowStart);
  return {
    policy: used.name,
    budget,
    promptTokens,
    protectedTokens: protectedTokens({ promptTokens, tailStart: kept, pinned, budget }),
    pinned,
    promptRows,
    behind,
    rowsBehind: lookahead?.module.tokens ?? (isDraft(behind) ? draftTokens : 0),
    lookahead,
    poolKernel: lookahead?.module.poolKernel ?? (used.rows === null ? 1 : used.poolKernel),
    seed,
    ...(share === undefined ? {} : { share }),
  };
}

/** Whether a draft of the answer is what scores. */
function isDraft(behind: RowsBehind | null): boolean {
  return behind === "own-draft" || behind === "draft-model";
}

/** The policy of a plan that somebody asked for. */
export function usedPolicy({ policy }: EvictionPlan): ChoosingPolicy {
  if (policy === "oracle") throw new TypeError("nobody can ask for the oracle");
  return policy;
}

/** @throws LongsightError `usage` where everything is to be kept and only a part of it */
export function refuseContradiction({ policy, budget }: { readonly policy: Policy; readonly budget: Budget }): void {
  if (policy === "full" && budget !== "full") {
    throw new LongsightError("usage", say("fullKeepsAll", { budget }));
  }
  if (policy !== "full" && budget === "full") {
    throw new LongsightError("usage", say("policyNeedsBudget", { policy: say(`policy-${policy}`) }));
  }
}
