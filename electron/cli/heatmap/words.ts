import type { Passage } from "../../contract/passages.ts";
import type { ChoosingPolicy } from "../../contract/policies.ts";
import { keptShares, rankedCells, shadeShares } from "../../contract/shades.ts";
import type { HeatmapOf } from "./json.ts";

const count = (tokens: number) => tokens.toLocaleString("en");
const percent = (share: number) => `${Math.round(share * 100)} %`;

/** What was asked, and what it would come to. */
export function aboutOf({ heatmap, asked, module }: HeatmapOf): string[] {
  const { model, policy, budget, promptTokens, keptTokens, layers, heads } = heatmap;
  const steps =
    module === null
      ? ""
      : module.steps === 0
        ? "0 steps of training: it has not learned anything"
        : `${count(module.steps)} steps of training`;
  return [
    `Read ${count(promptTokens)} tokens with ${model}.`,
    budget === "full" || budget >= promptTokens
      ? `Nothing would be evicted: the budget of ${budget === "full" ? budget : count(budget)} is no smaller than the prompt.`
      : `A budget of ${count(budget)} would keep ${count(keptTokens)} of them in each of ${layers} × ${heads} layer-heads.`,
    asked === policy
      ? `Policy ${policy}${module === null ? "" : `, with the module “${module.name}” (${steps})`}.`
      : `Policy ${policy}, in place of ${asked}: there is no lookahead module for this model.`,
  ];
}

/** Whose attention the scores of a policy are. */
const whose: Readonly<Record<ChoosingPolicy, string>> = {
  lookahead: "the foreseen answer",
  snapkv: "the prompt’s last tokens",
  pyramidkv: "the prompt’s last tokens",
  laq: "a draft of the answer, with the prompt’s last tokens,",
  speckv: "a smaller model’s draft of the answer, with the prompt’s last tokens,",
  h2o: "the whole prompt",
  tova: "the prompt’s last token",
  nacl: "the prompt’s last tokens",
  "expected-attention": "queries to come, expected to be like the prompt’s and weighed by the length of its value,",
  streamingllm: "nothing",
  random: "nothing",
};

/** What the shades mean, or why there are none. */
export function scaleOf({ heatmap }: HeatmapOf, passages: readonly Passage[]): string {
  if (!isScored(heatmap.scores)) return "This policy has no scores, so nothing is shaded; underlines show what would be kept.";
  const attention = whose[heatmap.policy];
  return (
    `Shade: by rank among the ${count(rankedCells(passages).length)} tokens of the documents’ text that are not always kept. ` +
    `A score is the attention that ${attention} paid to a token, the mean over layers and heads.`
  );
}

/** Whether a policy gave scores. */
export function isScored(scores: Float32Array): boolean {
  return scores.some((score) => score > 0);
}

/** What a look means: a shade or a level of underline, from 1, or the hatching. */
export type LegendEntry = { readonly shade: number; readonly level: number; readonly always: boolean; readonly words: string };

/** The shades, then the hatching where there is any, then the underlines. */
export function legendOf({ heatmap }: HeatmapOf): LegendEntry[] {
  const entry = { shade: 0, level: 0, always: false };
  const shades = shadeShares.map((share, index) => ({ ...entry, shade: index + 1, words: `top ${percent(share)}` }));
  const always = { ...entry, always: true, words: "always kept: the first tokens, the end of the prompt" };
  const marks = keptShares.map((share, index) => ({
    ...entry,
    level: index + 1,
    words: `kept in ${percent(share)} of the layer-heads or more`,
  }));
  return [...(isScored(heatmap.scores) ? shades : []), ...(heatmap.protectedTokens.length > 0 ? [always] : []), ...marks];
}

/** The legend where no look can be shown. */
export function legendSentence(of: HeatmapOf): string {
  const entries = legendOf(of);
  const list = (begin: string, shown: readonly LegendEntry[]) =>
    shown.length === 0 ? [] : [`${begin}: ${shown.map(({ words }) => words).join(", ")}.`];
  return [
    ...list(
      "From pale to dark",
      entries.filter(({ shade }) => shade > 0),
    ),
    ...list(
      "Hatched",
      entries.filter(({ always }) => always),
    ),
    ...list(
      "Underlined, dotted, thin and thick",
      entries.filter(({ level }) => level > 0),
    ),
  ].join(" ");
}
