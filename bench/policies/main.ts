import { basename } from "node:path";
import { roundContext } from "../../electron/contract/fit.ts";
import { choosingPolicySchema } from "../../electron/contract/policies.ts";
import { assemblePrompt } from "../../electron/engine/conversation/assemble.ts";
import { sha256Of } from "../../scripts/files.mjs";
import { fillWithStory, requestOf } from "../needles/layout.ts";
import { makeItems, type Words } from "../needles/needle.ts";
import { readStories, readWords } from "../needles/sources.ts";
import { measureItems } from "../quality/measureItems.ts";
import { type BenchModel, withModel } from "../quality/model.ts";
import { commandOf, saveResults } from "../quality/results.ts";
import { tokeniserOf } from "../quality/tokeniser.ts";
import type { Tools } from "../quality/tools.ts";
import { draftOf } from "./draftOf.ts";
import { type Contender, measurePolicies } from "./measure.ts";
import { type PolicyOptions, parsePolicyOptions } from "./options.ts";
import { outcomeSchema } from "./outcome.ts";
import { summarise, summaryTable } from "./summary.ts";

/** Longest answer in tokens whose attention is the truth. */
const maxTokens = 24;
/** Tokens that may come behind a prompt: the answer, a draft, or a module's rows. */
const roomBehind = 256;
/** Of what is left to chance. */
const seed = 1;

/** The bench `policies`. @returns the exit code. @throws UsageError, LongsightError */
export async function main(args: string[], tools: Tools): Promise<number> {
  const options = parsePolicyOptions(args);
  const stories = await readStories(tools.dataFolder);
  const words = await readWords(tools.dataFolder);
  return withModel(options, tools, { contextLength: roundContext(options.tokens + roomBehind) }, (model) =>
    measure(options, tools, model, stories, words),
  );
}

async function measure(options: PolicyOptions, tools: Tools, bench: BenchModel, stories: string[], words: Words): Promise<number> {
  const { tokens, items: count, budgets, draft } = options;
  const { loaded, described } = bench;
  const draftModel = await draftOf(draft, tools, loaded.model.header);
  const contenders = contendersOf(bench, draftModel !== null);
  const drafted = draftModel === null ? null : { file: basename(draftModel.path), sha256: await sha256Of(draftModel.path) };
  const run = { tokens, count, budgets, maxTokens, seed, draft: drafted, ...described };
  const { outcomes, journal } = await measureItems({
    bench: "policies",
    run: { ...run, code: tools.code },
    items: makeItems("single", count, words),
    schema: outcomeSchema,
    isOf: (outcome, item) => outcome.index === item.index,
    step: `Policies, ${tokens.toLocaleString("en")} tokens`,
    lineOf: ({ index, promptTokens, seconds }) => `${index + 1} of ${count} · ${promptTokens} tokens · ${seconds.toFixed(1)} s`,
    async measure(item, _isFirst, secondsSoFar) {
      const asked = await fillWithStory(loaded, { tokens, stories, first: item.index }, async (haystack) => {
        const request = requestOf(item, haystack);
        const prompt = await assemblePrompt(tokeniserOf(loaded), request);
        return { request, prompt, tokens: prompt.tokens };
      });
      const measured = await measurePolicies(loaded, asked, { contenders, budgets, maxTokens, draftModel, seed });
      return { index: item.index, ...measured, seconds: secondsSoFar() };
    },
  });
  const summary = summarise(
    outcomes,
    contenders.map(({ name }) => name),
    budgets,
  );
  console.log(
    `${described.model.id}, ${count} prompts of ${tokens.toLocaleString("en")} tokens; recall of what the answer looks at most, share of what oracle keeps, share of the answer's attention`,
  );
  console.log(summaryTable(summary));
  if (draftModel === null) console.log("speckv is left out: name a smaller model with --draft.");
  const command = commandOf("policies", options, { tokens, items: count, ...(draft === null ? {} : { draft: basename(draft) }) });
  const file = await saveResults(tools, options, `policies-${described.model.id}-${tokens}`, { command, ...run, summary, outcomes });
  console.log(`Raw figures: ${file}`);
  await journal.remove();
  return 0;
}

/** The modules, then every policy that needs none, then the bound. */
function contendersOf({ modules }: BenchModel, hasDraft: boolean): Contender[] {
  const others = choosingPolicySchema.options.filter((policy) => policy !== "lookahead" && (policy !== "speckv" || hasDraft));
  return [
    ...modules.map((module): Contender => ({ name: module.name, policy: "lookahead", module })),
    ...[...others, "oracle" as const].map((policy): Contender => ({ name: policy, policy, module: null })),
  ];
}
