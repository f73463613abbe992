import { tableOf } from "../quality/table.ts";
import type { LengthSummary, SpeedSummary } from "./summary.ts";

/** Tokens in a second. */
const perSecond = (tokens: number, ms: number): string => ((tokens / ms) * 1000).toFixed(1);
const milliseconds = (ms: number): string => ms.toFixed(1);

/** What people read when a run has ended. */
export function speedTables({ lengths, growth }: SpeedSummary, reference: number): string {
  const fitted = growth.flatMap(({ what, stage, exponent }) => (exponent === null ? [] : [[stage, what, exponent.toFixed(2)]]));
  const grown =
    fitted.length === 0 ? [] : [tableOf([["time grows by the length of the prompt to the power of", "", "exponent"], ...fitted])];
  return [...lengths.flatMap((length) => lengthTables(length, reference)), ...grown].join("\n\n");
}

function lengthTables({ promptTokens, own, others }: LengthSummary, reference: number): string[] {
  const ofOthers = others.map(({ program, kvType, prefillMs, decodeMs }) => [
    `${program}, full, ${kvType}`,
    perSecond(promptTokens, prefillMs),
    perSecond(1, decodeMs),
  ]);
  const ofOwn = own === null ? [] : [["longsight, full, f16", perSecond(promptTokens, own.prefillMs), perSecond(1, own.decodeMs)]];
  const kept = own?.kept.map(({ budget, decodeMs }) => [`longsight, ${budget} kept`, "", perSecond(1, decodeMs)]) ?? [];
  const title = `${promptTokens.toLocaleString("en")} tokens`;
  const speeds = tableOf([[title, "reading, tokens/s", "decoding, tokens/s"], ...ofOwn, ...kept, ...ofOthers]);
  if (own === null || own.policies.length === 0) return [speeds];
  const stages = ["while reading", "drafting", "scoring", "selecting", "gathering", "all"];
  const added = tableOf([
    [`${title}, added at ${reference}`, ...stages.map((stage) => `${stage}, ms`), "share of reading"],
    ...own.policies.map(({ policy, readingMs, draftMs, scoringMs, selectionMs, gatherMs, addedMs, share }) => [
      policy,
      ...[readingMs, draftMs, scoringMs, selectionMs, gatherMs, addedMs].map(milliseconds),
      `${(share * 100).toFixed(2)} %`,
    ]),
  ]);
  return [speeds, added];
}
