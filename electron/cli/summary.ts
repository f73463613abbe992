import type { AnswerFigures, CacheMode } from "../contract/conversation.ts";
import type { Heatmap } from "../contract/heatmap.ts";
import type { LoadedModel } from "../contract/model.ts";
import { type Policy, policyFacts } from "../contract/policies.ts";

/** Bytes in words; a megabyte has 1,000,000. */
export function sizeOf(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  const [amount, unit] = bytes < 1e9 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${amount.toLocaleString("en", { maximumFractionDigits: amount < 10 ? 1 : 0 })} ${unit}`;
}

/** Milliseconds in words. */
export function durationOf(milliseconds: number): string {
  if (milliseconds >= 59_950) {
    const seconds = Math.round(milliseconds / 1000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  return milliseconds >= 1000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${Math.round(milliseconds)} ms`;
}

const countOf = (tokens: number) => tokens.toLocaleString("en");

/** One line of what an answer cost, every number measured. Stages that did not run are left out. */
export function summaryOf(figures: AnswerFigures): string {
  const { timings, keptTokens } = figures;
  const cache = sizeOf(figures.fullCacheBytes);
  const stage = (name: string, milliseconds: number) => (milliseconds > 0 ? [`${name} ${durationOf(milliseconds)}`] : []);
  return [
    `read ${countOf(figures.promptTokens)} tokens`,
    ...(figures.rereadTokens > 0 ? [`${countOf(figures.rereadTokens)} of them again`] : []),
    ...(figures.restoredTokens > 0 ? [`${countOf(figures.restoredTokens)} of them from disk in ${durationOf(timings.restoreMs)}`] : []),
    ...(keptTokens === null
      ? [`cache ${cache}`]
      : [`kept ${countOf(keptTokens)} per head`, `cache ${cache} → ${sizeOf(figures.keptCacheBytes)}`, figures.policy]),
    ...stage("prefill", timings.prefillMs),
    ...(keptTokens === null ? [] : scoringWords(figures.policy, timings.scoringMs, figures.mode)),
    ...stage("eviction", timings.evictionMs),
    ...modeWords(figures),
    ...stage("decode", timings.decodeMs),
    ...(figures.decodeTokensPerSecond > 0 ? [`${countOf(figures.decodeTokensPerSecond)} tokens/s`] : []),
  ].join(" · ");
}

/** What a mode other than `question` did, and how often a long answer made room for itself. */
function modeWords({
  mode,
  scoredFor,
  evictions,
  answerEvictions,
}: Pick<AnswerFigures, "mode" | "scoredFor" | "evictions" | "answerEvictions">): string[] {
  if (scoredFor === null) return [];
  const times = (count: number) => (count === 1 ? "once" : `${countOf(count)} times`);
  const chosen = {
    question: "for this question",
    document: "for the document, not for this question",
    "earlier-question": "for an earlier question",
  };
  const reading = evictions - answerEvictions;
  return [
    ...(mode === "question" ? [] : [`mode ${mode}`, `kept ${chosen[scoredFor]}`]),
    ...(mode === "question" || reading === 0 ? [] : [`evicted ${times(reading)} while reading`]),
    ...(answerEvictions === 0 ? [] : [`evicted ${times(answerEvictions)} while writing`]),
  ];
}

/**
 * How long scoring took, where it is a stage of its own: some policies score with the prompt's own rows, others not at all. Reading by parts
 * it is a stage for all that score.
 */
export function scoringWords(policy: Policy, milliseconds: number, mode: CacheMode = "question"): string[] {
  const { scored } = policyFacts[policy];
  if (scored === "reading" && mode !== "question") return [`scoring ${durationOf(milliseconds)}`];
  if (scored === "reading") return ["scored while reading"];
  return scored === "stage" && milliseconds > 0 ? [`scoring ${durationOf(milliseconds)}`] : [];
}

/** Why what was asked for is not what was done; null where it is. */
export function policyNotice(asked: Policy, used: Policy, promptTokens: number): string | null {
  if (asked === used) return null;
  if (used === "full") {
    return `Nothing was evicted: the budget is no smaller than the prompt of ${countOf(promptTokens)} tokens.`;
  }
  return `There is no lookahead module for this model, so the policy ${used} chose what is kept. A module's folder is named with --modules.`;
}

/** What a heatmap shows in place of what was asked for. */
export function heatmapNotices(
  asked: Policy,
  { policy, budget, promptTokens }: Pick<Heatmap, "policy" | "budget" | "promptTokens">,
): string[] {
  const isAllKept = budget === "full" || budget >= promptTokens;
  const chosen = isAllKept ? "the scores are" : "the scores, and what would be kept, are";
  return [
    ...(isAllKept && budget !== "full"
      ? [`Nothing would be evicted: the budget of ${countOf(budget)} is no smaller than the prompt of ${countOf(promptTokens)} tokens.`]
      : []),
    ...(asked === policy
      ? []
      : [
          `There is no lookahead module for this model, so ${chosen} those of the policy ${policy}. A module's folder is named with --modules.`,
        ]),
  ];
}

/** A warning of a lookahead module that knows nothing yet; null for one that has been trained. */
export function moduleNotice(module: LoadedModel["lookahead"]): string | null {
  if (module === null || module.steps > 0) return null;
  return `The lookahead module “${module.name}” has not learned anything (0 steps of training): expect poor choices.`;
}
