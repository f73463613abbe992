/**
 * L-Eval's exam accuracy: 1 where an answer's letters are exactly the right ones.
 * @param right letters, as in “B” or “ACD”, or a choice that begins with one, as in “(B) Because …”
 */
export function choiceScore(answer: string, right: string): number {
  const wanted = chosenLetters(right);
  return wanted !== "" && chosenLetters(answer) === wanted ? 1 : 0;
}

/** The letters that an answer chooses, ascending: those in its first brackets, or else its first capital letters that stand alone or in a list. */
export function chosenLetters(answer: string): string {
  const [, bracketed] = /\(([A-H](?:\s*[,&]?\s*[A-H])*)\)/.exec(answer) ?? [];
  const [listed] = /(?<![\p{L}\p{N}'’])[A-H]+(?:\s*(?:,|&|and)+\s*[A-H])*(?![\p{L}\p{N}'’])/u.exec(answer) ?? [];
  return [...new Set((bracketed ?? listed ?? "").match(/[A-H]/g) ?? [])].sort().join("");
}
