import { writeGreedily } from "../../electron/engine/conversation/greedy.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import { examineKept, type NamedBudget, named } from "../quality/examine.ts";
import { clear } from "../quality/fullCache.ts";
import type { Rule } from "../quality/rules.ts";
import { agreementOf } from "./agreement.ts";
import { type Fitted, fitPrompt } from "./layout.ts";
import { meanLogLikelihood } from "./likelihood.ts";
import { compareLooks } from "./looking.ts";
import type { QualityOutcome } from "./outcome.ts";
import type { AgreementTask, Item, ScoredTask, Task } from "./task.ts";

/** An item, and its place in its task. */
export type TaskItem = { readonly task: Task; readonly item: Item; readonly index: number };

export type MeasureSettings = {
  readonly rules: readonly Rule[];
  readonly budgets: readonly number[];
  /** Tokens of a whole prompt together with its answer. */
  readonly tokens: number;
  /** Longest answer, where a task has a longer one. */
  readonly answerTokens: number | null;
};

/** Fewest tokens that are left behind a prompt, also where answers are shorter: rows that score are decoded there. */
const leastRoom = 64;
/** Of how many other items the gold answers say what chance would score. */
const mostOthers = 10;

/** Characters of each answer that go into the raw figures. */
const keptCharacters = 240;

/** What measuring takes of an outcome. */
type Measured<Outcome> = Outcome extends unknown ? Omit<Outcome, "seconds"> : never;

/** Longest answer of a task. */
export const answerTokensOf = ({ answerTokens }: Task, most: number | null): number => Math.min(answerTokens, most ?? answerTokens);

/** The longest prompt that an item has; null where there is none. */
export function fitItem(loaded: Loaded, { task, item }: TaskItem, settings: Pick<MeasureSettings, "tokens" | "answerTokens">) {
  const behind = Math.max(answerTokensOf(task, settings.answerTokens), leastRoom);
  return fitPrompt(loaded, item.source, settings.tokens - behind);
}

/** Measures one item. @throws LongsightError as the app's answers do */
export async function measureItem(loaded: Loaded, asked: TaskItem, settings: MeasureSettings): Promise<Measured<QualityOutcome>> {
  const { task, item } = asked;
  const fitted = await fitItem(loaded, asked, settings);
  if (fitted === null) return { kind: "unfit", task: task.name, id: item.id };
  const about = { task: task.name, id: item.id, promptTokens: fitted.prompt.tokens.length, cutTokens: fitted.cutTokens };
  if (task.group === "temperature") {
    const answerTokens = answerTokensOf(task, settings.answerTokens);
    const looks = await compareLooks(loaded, fitted.prompt, { rules: settings.rules, answerTokens, seed: asked.index + 1 });
    return { kind: "temperature", ...about, ...looks };
  }
  if (task.group === "agreement") return { kind: "agreement", ...about, ...(await measureAgreement(loaded, task, fitted, settings)) };
  return { kind: "scored", ...about, ...(await measureScored(loaded, task, asked, fitted, settings)) };
}

async function measureScored(loaded: Loaded, task: ScoredTask, { item, index }: TaskItem, { prompt }: Fitted, settings: MeasureSettings) {
  const score = (text: string) => rounded(task.score(text, item.gold));
  const examined = await examineKept(
    loaded,
    prompt,
    {
      rules: settings.rules,
      budgets: budgetsOf(task, prompt.tokens.length, settings.budgets),
      maxTokens: answerTokensOf(task, settings.answerTokens),
      isEnough: (text) => task.endsWhenRight && score(text) === 1,
      ofNothing: "",
    },
    async (kept) => (await writeGreedily(loaded, kept.context, kept.start)).text,
  );
  const { full, seen, leftOut } = examined;
  return {
    full: { text: beginningOf(full.text), score: score(full.text), first: score(full.text.slice(0, full.ends[0] ?? 0)) },
    chance: chanceOf(task, full.text, index),
    kept: seen.map(({ policy, budget, sight }) => ({ policy, budget, text: beginningOf(sight), score: score(sight) })),
    leftOut,
  };
}

async function measureAgreement(loaded: Loaded, task: AgreementTask, { prompt }: Fitted, settings: MeasureSettings) {
  const end = prompt.tokens.length;
  const { full, seen, leftOut, context } = await examineKept(
    loaded,
    prompt,
    {
      rules: settings.rules,
      budgets: settings.budgets.map(named),
      maxTokens: answerTokensOf(task, settings.answerTokens),
      ofNothing: { text: "", logLikelihood: null },
    },
    async ({ context: kept, start, full }) => {
      const { text } = await writeGreedily(loaded, kept, start);
      kept.truncate(end);
      return { text, logLikelihood: roundedOrNull(await meanLogLikelihood(kept, full.tokens, end)) };
    },
  );
  const ownLikelihood = await meanLogLikelihood(context, full.tokens, end);
  clear(context, end);
  return {
    full: { text: beginningOf(full.text), tokens: full.tokens.length, logLikelihood: roundedOrNull(ownLikelihood) },
    kept: seen.map(({ policy, budget, sight }) => {
      const { f1, rougeL, edit } = agreementOf(sight.text, full.text);
      return { policy, budget, ...sight, text: beginningOf(sight.text), f1: rounded(f1), rougeL: rounded(rougeL), edit: rounded(edit) };
    }),
    leftOut,
  };
}

function budgetsOf({ keptShare }: ScoredTask, promptTokens: number, budgets: readonly number[]): NamedBudget[] {
  if (keptShare === null) return budgets.map(named);
  return [{ name: shareName(keptShare), tokens: Math.round(promptTokens * keptShare) }];
}

/** What tables call a budget that is a share of the prompt. */
export const shareName = (share: number): string => `${Math.round(share * 100)} %`;

/** What an answer scores by the gold answers of other items: what there is to win without reading the right text. */
function chanceOf({ score, items }: ScoredTask, answer: string, index: number): number {
  const others = items.filter((_, place) => place !== index).slice(0, mostOthers);
  const sum = others.reduce((total, { gold }) => total + score(answer, gold), 0);
  return others.length === 0 ? 0 : rounded(sum / others.length);
}

/** As much of an answer as tells what became of it: there are thousands of them. */
const beginningOf = (text: string): string => Array.from(text).slice(0, keptCharacters).join("");

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
const roundedOrNull = (value: number | null): number | null => (value === null ? null : rounded(value));
