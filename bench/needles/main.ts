import { roundContext } from "../../electron/contract/fit.ts";
import { compareAnswers } from "../quality/compare.ts";
import { measureItems } from "../quality/measureItems.ts";
import { type BenchModel, withModel } from "../quality/model.ts";
import { commandOf, saveResults } from "../quality/results.ts";
import { lookaheadRule, oracleRule, snapRule } from "../quality/rules.ts";
import type { Tools } from "../quality/tools.ts";
import { createLayout } from "./layout.ts";
import { isFound, makeItems, type Words } from "./needle.ts";
import { type NeedleOptions, parseNeedleOptions } from "./options.ts";
import { type NeedleOutcome, outcomeSchema } from "./outcome.ts";
import { readStories, readWords } from "./sources.ts";
import { summarise, summaryTable } from "./summary.ts";

/** Longest answer in tokens: the value, and a few more. */
const maxTokens = 24;
/** Tokens that may come behind a prompt: the answer, or a module's rows. */
const roomBehind = 256;

/** The bench `needles`. @returns the exit code. @throws UsageError, LongsightError */
export async function main(args: string[], tools: Tools): Promise<number> {
  const options = parseNeedleOptions(args);
  const stories = await readStories(tools.dataFolder);
  const words = await readWords(tools.dataFolder);
  return withModel(options, tools, { contextLength: roundContext(options.tokens + roomBehind) }, (model) =>
    measure(options, tools, model, stories, words),
  );
}

async function measure(options: NeedleOptions, tools: Tools, bench: BenchModel, stories: string[], words: Words): Promise<number> {
  const { variant, tokens, items: count, budgets } = options;
  const { loaded, modules, described } = bench;
  const rules = [...modules.map(lookaheadRule), snapRule, oracleRule];
  const layOut = createLayout(loaded, variant, tokens, stories);
  const run = { variant, tokens, count, budgets, maxTokens, ...described };
  const { outcomes, journal } = await measureItems({
    bench: "needles",
    run: { ...run, code: tools.code },
    items: makeItems(variant, count, words),
    schema: outcomeSchema,
    isOf: (outcome, item) => outcome.index === item.index,
    step: `Needles, ${variant}, ${tokens.toLocaleString("en")} tokens`,
    lineOf: (outcome) => lineOf(outcome, count),
    async measure(item, isFirst, secondsSoFar) {
      const [asked] = item.needles;
      const prompt = await layOut(item);
      const says = (text: string) => isFound(asked.value, text);
      const compared = await compareAnswers(loaded, prompt, { rules, budgets, maxTokens, says, isChecked: isFirst });
      return {
        index: item.index,
        depth: asked.depth,
        key: asked.key,
        value: asked.value,
        promptTokens: prompt.tokens.length,
        full: { text: compared.full, isFound: says(compared.full) },
        kept: compared.kept.map((answer) => ({ ...answer, isFound: says(answer.text) })),
        seconds: secondsSoFar(),
      };
    },
  });
  const summary = summarise(
    outcomes,
    rules.map(({ name }) => name),
    budgets,
  );
  console.log(
    `${described.model.id}, ${variant}, ${tokens.toLocaleString("en")} tokens: the full cache found ${summary.answered} of ${count}`,
  );
  console.log(summaryTable(summary));
  const command = commandOf("needles", options, { variant, tokens, items: count });
  const name = `needles-${described.model.id}-${variant}-${tokens}`;
  const file = await saveResults(tools, options, name, { command, ...run, summary, outcomes });
  console.log(`Raw figures: ${file}`);
  await journal.remove();
  return 0;
}

function lineOf({ index, depth, promptTokens, full, kept, seconds }: NeedleOutcome, count: number): string {
  const found = kept.filter((answer) => answer.isFound).map(({ policy, budget }) => `${policy} ${budget}`);
  const said = full.isFound ? `found by ${found.join(", ") || "none"}` : "not found by the full cache";
  return `${index + 1} of ${count} · ${Math.round(depth * 100)} % · ${promptTokens} tokens · ${seconds.toFixed(1)} s · ${said}`;
}
