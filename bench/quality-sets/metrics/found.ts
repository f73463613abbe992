/**
 * RULER's “all”: the share of the references that stand in an answer, whatever the case, 0 … 1 (NVIDIA's repository RULER,
 * `string_match_all`; the mean over items is the score).
 * @param references at least one
 */
export function foundShare(answer: string, references: readonly string[]): number {
  const plain = answer.toLowerCase();
  return references.filter((reference) => plain.includes(reference.toLowerCase())).length / references.length;
}

/** 1 where any of the references stands in an answer, whatever the case: the metric of key-value and multi-document look-ups (Liu et al. 2023). */
export function foundAny(answer: string, references: readonly string[]): number {
  return foundShare(answer, references) > 0 ? 1 : 0;
}
