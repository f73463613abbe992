import { normalised } from "../../answers/tokenF1.ts";

/**
 * RULER's “all”: the share of the references that stand in an answer, whatever the case, 0 … 1 (NVIDIA's repository RULER,
 * `string_match_all`; the mean over items is the score).
 * @param references at least one
 */
export function foundShare(answer: string, references: readonly string[]): number {
  const plain = answer.toLowerCase();
  return references.filter((reference) => plain.includes(reference.toLowerCase())).length / references.length;
}

/** 1 where any of the references stands in an answer, whatever the case: the metric of key-value look-ups (Liu et al. 2023). */
export function foundAny(answer: string, references: readonly string[]): number {
  return foundShare(answer, references) > 0 ? 1 : 0;
}

/**
 * 1 where any of the references stands in the first line of an answer, both without case, punctuation and articles: the metric of open
 * questions among passages (Liu et al. 2023, `best_subspan_em`). A model that goes on to copy the passages wins nothing.
 */
export function foundInFirstLine(answer: string, references: readonly string[]): number {
  const plain = (text: string) => normalised(text).join(" ");
  const line = plain(answer.trimStart().split("\n")[0] ?? "");
  return references.map(plain).some((reference) => reference !== "" && line.includes(reference)) ? 1 : 0;
}
