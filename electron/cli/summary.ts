import type { AnswerFigures, Policy } from "../contract/conversation.ts";

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
  const stages = [
    ["prefill", timings.prefillMs],
    ["scoring", timings.scoringMs],
    ["eviction", timings.evictionMs],
    ["decode", timings.decodeMs],
  ] as const;
  return [
    `read ${countOf(figures.promptTokens)} tokens`,
    ...(keptTokens === null
      ? [`cache ${cache}`]
      : [`kept ${countOf(keptTokens)} per head`, `cache ${cache} → ${sizeOf(figures.keptCacheBytes)}`]),
    ...stages.filter(([, milliseconds]) => milliseconds > 0).map(([name, milliseconds]) => `${name} ${durationOf(milliseconds)}`),
    ...(figures.decodeTokensPerSecond > 0 ? [`${countOf(figures.decodeTokensPerSecond)} tokens/s`] : []),
  ].join(" · ");
}

/** Why what was asked for is not what was done; null where it is. */
export function policyNotice(asked: Policy, used: Policy, promptTokens: number): string | null {
  if (asked === used) return null;
  if (used === "full") {
    return `Nothing was evicted: the budget is no smaller than the prompt of ${countOf(promptTokens)} tokens.`;
  }
  return `There is no lookahead module for this model, so the policy ${used} chose what is kept. A module's folder is named with --modules.`;
}
