import type { AnswerFigures, Budget, PromptMeasure } from "../../electron/contract/conversation.ts";
import type { LoadedModel } from "../../electron/contract/model.ts";
import { type ChoosingPolicy, type Policy, policyFacts } from "../../electron/contract/policies.ts";
import type { Settings } from "../../electron/contract/shell.ts";

/** The policy that a model would use: without a lookahead module `snapkv` stands in for `lookahead`. */
export function usedPolicy(chosen: ChoosingPolicy, model: LoadedModel | null): ChoosingPolicy {
  return chosen === "lookahead" && model?.lookahead === null ? "snapkv" : chosen;
}

/** What is sent with a question, as the engine takes it: a policy with a number, or everything. */
export function evictionOf(
  { budget, policy }: Pick<Settings, "budget" | "policy">,
  model: LoadedModel | null,
): { readonly budget: Budget; readonly policy: Policy } {
  return budget === "full" ? { budget, policy: "full" } : { budget, policy: usedPolicy(policy, model) };
}

/**
 * What an answer to the same question would now be made with otherwise than the one of these figures; null where nothing is.
 * Where the budget covered the prompt no policy had a say.
 */
export function changedSince(
  figures: AnswerFigures | null,
  settings: Pick<Settings, "budget" | "policy">,
  model: LoadedModel | null,
): "model" | "budget" | "policy" | null {
  if (figures === null || model === null) return null;
  if (figures.model !== model.report.id || figures.kvType !== model.kvType) return "model";
  const { budget, policy } = evictionOf(settings, model);
  if (figures.budget !== budget) return "budget";
  return figures.policy === "full" || figures.policy === policy ? null : "policy";
}

/** Tokens of the prompt that a budget is taken of; null while nothing was counted or no document is there to speak of. */
export function promptToKeep(measure: PromptMeasure | null): number | null {
  return measure === null || measure.documents.length === 0 ? null : measure.promptTokens;
}

/** The least budget offered. Some policies keep a window of 32 tokens beside the prompt's first ones, so that 32 is never enough for them. */
export function leastBudget(policy: ChoosingPolicy): number {
  return policyFacts[policy].keptWindow < 32 ? 32 : 48;
}

/**
 * The budgets of the slider, ascending: two for each doubling, below `limit`, and everything at the end.
 * @param chosen budgets that are to be among them whatever they are: a remembered one may be of another prompt
 */
export function budgetStops(limit: number, least: number, chosen: readonly Budget[]): readonly Budget[] {
  const numbers = new Set([least, ...chosen.filter((budget) => budget !== "full")]);
  for (let power = 32; power < limit; power *= 2) {
    for (const stop of [power, power * 1.5]) if (stop >= least && stop < limit) numbers.add(stop);
  }
  return [...[...numbers].sort((one, other) => one - other), "full"];
}
