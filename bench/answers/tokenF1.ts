/** A text as SQuAD compares it: lower case, no punctuation, no articles. */
export function normalised(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, "")
    .replace(/\b(a|an|the)\b/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
}

/**
 * SQuAD's F1 (Rajpurkar et al. 2016): the words that an answer shares with a gold answer, 0 … 1; of several gold answers the best.
 */
export function tokenF1(answer: string, gold: readonly string[]): number {
  return Math.max(0, ...gold.map((each) => f1Of(normalised(answer), normalised(each))));
}

/** Whether all of a gold answer stands in an answer, as SQuAD compares words: a wordy answer may be right and its F1 low. */
export function holdsGold(answer: string, gold: readonly string[]): boolean {
  const joined = (text: string) => ` ${normalised(text).join(" ")} `;
  return gold.some((each) => normalised(each).length > 0 && joined(answer).includes(joined(each)));
}

function f1Of(answer: readonly string[], gold: readonly string[]): number {
  if (answer.length === 0 || gold.length === 0) return answer.length === gold.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const word of gold) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of answer) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(word, count - 1);
  }
  return (2 * shared) / (answer.length + gold.length);
}
