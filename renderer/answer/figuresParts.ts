import type { TFunction } from "i18next";
import type { AnswerFigures } from "../../electron/contract/conversation.ts";
import { policyFacts } from "../../electron/contract/policies.ts";
import { formatCount, formatDuration } from "../text/format.ts";

/** A few words of an answer's figures, fewer where there is a glance alone, and the sentence behind them. */
export type Part = { readonly name: string; readonly words: string; readonly brief?: string; readonly meaning: string };

/** What is said at a glance, in its order. */
const briefNames = ["stopped", "kept", "whole", "cache", "policy", "rate"];

/** Budget, mode and speed. The cache's size is said where no budget is: it tells how much a full one is. */
export function briefOf(parts: readonly Part[]): readonly Part[] {
  const without = parts.some(({ name }) => name === "kept" || name === "whole" || name === "stopped") ? "cache" : null;
  const brief = briefNames.flatMap((wanted) => parts.filter(({ name }) => name === wanted && name !== without));
  return brief.length > 0 ? brief : parts.slice(0, 1);
}

/** Tokens up to which a prompt's end is read in any case: caches and what is stored end on lines so far apart. */
const gridTokens = 64;

/** Where the prompt's tokens came from, as far as it is not plain reading: from disk, or read for a second time. */
export function readingOf({ restoredTokens, rereadTokens, timings }: AnswerFigures, t: TFunction): readonly Part[] {
  const parts: Part[] = [];
  if (restoredTokens > 0) {
    const words = t("figures.restored", { tokens: formatCount(restoredTokens) });
    parts.push({ name: "restored", words, meaning: t("figures.restoredMeaning", { time: formatDuration(timings.restoreMs) }) });
  }
  if (rereadTokens >= gridTokens) {
    const words = t("figures.reread", { tokens: formatCount(rereadTokens) });
    parts.push({ name: "reread", words, meaning: t("figures.rereadMeaning") });
  }
  return parts;
}

/** What was chosen by, and when. Chosen from the whole prompt for this question is what people expect, so nothing is said of it. */
export function choosingOf({ mode, scoredFor, evictions, answerEvictions }: AnswerFigures, t: TFunction): readonly Part[] {
  const parts: Part[] = [];
  if (mode !== "question" && scoredFor !== null) {
    const meaning = `${t(`modes.names.${mode}`)}: ${t(`modes.meanings.${mode}`)}`;
    parts.push({ name: "scoredFor", words: t(`figures.scoredFor.${scoredFor}`), meaning });
  }
  const reading = evictions - answerEvictions;
  if (mode !== "question" && reading > 0) {
    const words = t("figures.readingEvictions", { count: reading, times: formatCount(reading) });
    parts.push({ name: "readingEvictions", words, meaning: t("figures.readingEvictionsMeaning") });
  }
  if (answerEvictions > 0) {
    const words = t("figures.answerEvictions", { count: answerEvictions, times: formatCount(answerEvictions) });
    parts.push({ name: "answerEvictions", words, meaning: t("figures.answerEvictionsMeaning") });
  }
  return parts;
}

/**
 * What choosing and keeping took. Some policies' scores come of the reading itself, where the prompt is read whole; without scores there
 * is only the keeping.
 */
export function stagesOf({ policy, mode, scoresStored, evictions, answerEvictions, timings }: AnswerFigures, t: TFunction): string {
  // Kept once for the documents, an answer may go on from what is there.
  if (mode === "once" && evictions === answerEvictions) return t("figures.keptEarlier");
  const evicted = t("figures.evicted", { time: formatDuration(timings.evictionMs) });
  const { scored } = policyFacts[policy];
  if (scored === "never") return evicted;
  if (scoresStored) return `${t("figures.scoresStored")}, ${evicted}`;
  if (scored === "reading" && mode === "question") return `${t("figures.scoredReading")}, ${evicted}`;
  return `${t("figures.scored", { time: formatDuration(timings.scoringMs) })}, ${evicted}`;
}
