import { roundContext } from "../../electron/contract/fit.ts";
import { likeliest, writeGreedily } from "../../electron/engine/conversation/greedy.ts";
import type { KeptTokens, Scores } from "../../electron/engine/lookahead/scores.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import { progress } from "../../scripts/progress.mjs";
import { foundOf } from "../policies/recall.ts";
import { meanOf } from "../quality/averages.ts";
import { examineKept, type Kept, named } from "../quality/examine.ts";
import { withModel } from "../quality/model.ts";
import { lookaheadRule, oracleRule, type Rule, snapRule } from "../quality/rules.ts";
import type { Tools } from "../quality/tools.ts";
import { type GuardItem, layOutItems, needlePromptTokens } from "./items.ts";

/** What is kept, in tokens for each layer and KV head. */
export const budget = 128;
/** Longest answer, in tokens. */
const maxTokens = 32;
/** Tokens that may come behind a prompt: the answer, or a module's rows. */
const roomBehind = 256;

/** Of one item, for each policy. `found`: null where there is no needle. `recall`, `agreement`: 0 … 1. */
type Looked = { readonly found: boolean | null; readonly recall: number; readonly agreement: number };
export type ItemOutcome = { readonly fullFound: boolean | null; readonly lookahead: Looked; readonly snapkv: Looked };

/** What the embedded model and its module are worth: needles found, and means over the items. */
export type Quality = {
  readonly needles: { readonly count: number; readonly full: number; readonly lookahead: number; readonly snapkv: number };
  /** Of the tokens that the full cache's answer looks at most, the share that is kept. */
  readonly recall: { readonly lookahead: number; readonly snapkv: number };
  /** Of the tokens of the full cache's answer, the share that the kept cache would write as well, each behind those before it. */
  readonly agreement: { readonly lookahead: number; readonly snapkv: number };
};

/** Reads the made prompts with the embedded model, as the app does, and looks at what is kept. @throws LongsightError */
export function measureQuality(tools: Tools): Promise<Quality> {
  const options = { model: "smollm2", modules: ["shipped"], budgets: [budget], threads: null, out: null };
  return withModel(options, tools, { contextLength: roundContext(needlePromptTokens + roomBehind) }, async ({ loaded, modules }) => {
    const rules = [...modules.map(lookaheadRule), snapRule];
    const items = await layOutItems(loaded);
    const shown = progress();
    const outcomes: ItemOutcome[] = [];
    for (const [index, item] of items.entries()) {
      shown.say("Asking what is kept", index / items.length);
      outcomes.push(await measureItem(loaded, item, rules));
    }
    shown.end();
    return summarise(outcomes);
  });
}

async function measureItem(loaded: Loaded, { prompt, says }: GuardItem, rules: readonly Rule[]): Promise<ItemOutcome> {
  let truth: { readonly scores: Scores; readonly chosen: KeptTokens } | null = null;
  const { full, seen } = await examineKept(
    loaded,
    prompt,
    { rules: [oracleRule, ...rules], budgets: [named(budget)], maxTokens, ofNothing: nothing },
    async (kept): Promise<Looked> => {
      if (kept.rule === oracleRule) {
        if (kept.scores !== null) truth = { scores: kept.scores, chosen: kept.chosen };
        return nothing;
      }
      const recall = truth === null ? 0 : foundOf(truth.scores, truth.chosen, kept.chosen).truthRecall;
      const agreement = await agreementOf(loaded, kept);
      kept.context.truncate(prompt.tokens.length);
      const found = says === null ? null : says((await writeGreedily(loaded, kept.context, kept.start)).text);
      return { found, recall, agreement };
    },
  );
  const of = (policy: string) => seen.find((one) => one.policy === policy)?.sight ?? nothing;
  return { fullFound: says === null ? null : says(full.text), lookahead: of("lookahead"), snapkv: of("snapkv") };
}

const nothing: Looked = { found: false, recall: 0, agreement: 0 };

/** The share of the full cache's tokens that the kept one finds likeliest too; 1 where there is but the first, which is given. */
async function agreementOf({ model }: Loaded, { context, start, full }: Kept): Promise<number> {
  const { tokens } = full;
  let same = 0;
  for (const [index, token] of tokens.slice(0, -1).entries()) {
    await context.decode(Uint32Array.of(token), start.position + index, true);
    if ((await likeliest(model, context)) === tokens[index + 1]) same += 1;
  }
  return tokens.length < 2 ? 1 : same / (tokens.length - 1);
}

/** Sums of needles, means of the rest. */
export function summarise(outcomes: readonly ItemOutcome[]): Quality {
  const withNeedle = outcomes.filter(({ fullFound }) => fullFound !== null);
  const count = (isFound: (outcome: ItemOutcome) => boolean | null) => withNeedle.filter((outcome) => isFound(outcome) === true).length;
  const mean = (readFrom: (outcome: ItemOutcome) => number) => meanOf(outcomes.map(readFrom));
  return {
    needles: {
      count: withNeedle.length,
      full: count(({ fullFound }) => fullFound),
      lookahead: count(({ lookahead }) => lookahead.found),
      snapkv: count(({ snapkv }) => snapkv.found),
    },
    recall: { lookahead: mean(({ lookahead }) => lookahead.recall), snapkv: mean(({ snapkv }) => snapkv.recall) },
    agreement: { lookahead: mean(({ lookahead }) => lookahead.agreement), snapkv: mean(({ snapkv }) => snapkv.agreement) },
  };
}
