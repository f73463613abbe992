import type { AnswerFigures, Budget, PromptMeasure } from "../../electron/contract/conversation.ts";
import { type ChoosingPolicy, type Policy, policyFacts } from "../../electron/contract/policies.ts";
import type { Settings } from "../../electron/contract/shell.ts";
import { type Choice, type Circumstances, usedChoice } from "./choices.ts";

/** What is chosen of the budget. */
export type BudgetSettings = Pick<Settings, "budget"> & Choice;

/** What one answer may be made with otherwise than the settings say. */
export type BudgetChoice = Partial<BudgetSettings>;

/** What is sent with a question beside the question itself. */
type Eviction = Omit<Choice, "policy"> & { readonly budget: Budget; readonly policy: Policy };

/** What is sent with a question, as the engine takes it: everything, or a number with what chooses, when, and for which document. */
export function evictionOf(settings: BudgetSettings, circumstances: Circumstances): Eviction {
  const { budget } = settings;
  if (budget === "full") return { budget, policy: "full", draftModel: null, mode: "question", share: "score" };
  return { budget, ...usedChoice(settings, circumstances) };
}

/**
 * What importance is asked with for a file that shows it. Where everything is kept, nothing is left out at the prompt's own length.
 * @param figures of the answer to the question
 */
export function heatOf(
  settings: BudgetSettings,
  circumstances: Circumstances,
  figures: AnswerFigures | null,
): Pick<Choice, "policy" | "draftModel" | "share"> & { readonly budget: number } {
  const { policy, draftModel, share } = usedChoice({ ...settings, mode: "question" }, circumstances);
  const whole = figures?.promptTokens ?? circumstances.model?.contextLength ?? 1;
  return { budget: settings.budget === "full" ? whole : settings.budget, policy, draftModel, share };
}

/**
 * What an answer to the same question would now be made with otherwise than the one of these figures; null where nothing is.
 * Where the budget covered the prompt nothing was chosen.
 */
export function changedSince(
  figures: AnswerFigures | null,
  settings: BudgetSettings,
  circumstances: Circumstances,
): "model" | "budget" | "policy" | "mode" | "share" | null {
  const { model } = circumstances;
  if (figures === null || model === null) return null;
  if (figures.model !== model.report.id || figures.kvType !== model.kvType) return "model";
  const now = evictionOf(settings, circumstances);
  if (figures.budget !== now.budget) return "budget";
  if (figures.policy === "full") return null;
  for (const part of ["policy", "mode", "share"] as const) if (figures[part] !== now[part]) return part;
  return null;
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

/**
 * A budget as it is typed: a number, with or without separators, or the word for everything.
 * @returns what is in the way: it is no number, or below what is always kept
 */
export function parseBudget(
  text: string,
  { least, all }: { readonly least: number; readonly all: string },
): { readonly budget: Budget } | { readonly obstacle: "number" | "least" } {
  const typed = text.trim();
  if (typed.toLocaleLowerCase() === all.toLocaleLowerCase()) return { budget: "full" };
  const digits = typed.replace(/[\s.,’'\u00a0\u202f]/g, "");
  const budget = /^\d{1,9}$/.test(digits) ? Number(digits) : null;
  if (budget === null) return { obstacle: "number" };
  return budget < least ? { obstacle: "least" } : { budget };
}

/** The stop of the slider above (1) or below (-1) a budget; the last one where there is none. */
export function stopBeside(stops: readonly Budget[], budget: Budget, direction: 1 | -1): Budget {
  const sizeOf = (stop: Budget): number => (stop === "full" ? Infinity : stop);
  const above = stops.filter((stop) => direction * (sizeOf(stop) - sizeOf(budget)) > 0);
  return (direction === 1 ? above[0] : above[above.length - 1]) ?? stops[direction === 1 ? stops.length - 1 : 0] ?? budget;
}
