/**
 * F1 for Chinese (CMRC 2018, Cui et al. 2019): by the longest common run of characters, where a word of another script counts as one;
 * without punctuation, 0 … 1, of several references the best. LongBench cuts into words with a dictionary first, which this does not have.
 */
export function characterF1(answer: string, references: readonly string[]): number {
  const own = unitsOf(answer);
  return Math.max(0, ...references.map((reference) => runF1(own, unitsOf(reference))));
}

function unitsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+?(?=\p{Script=Han}|[^\p{L}\p{N}]|$)/gu) ?? [];
}

function runF1(own: readonly string[], gold: readonly string[]): number {
  const shared = longestRun(own, gold);
  return shared === 0 ? 0 : (2 * shared) / (own.length + gold.length);
}

/** Length of the longest run that stands in both without a gap. */
function longestRun(one: readonly string[], other: readonly string[]): number {
  let longest = 0;
  let before = new Uint32Array(other.length + 1);
  for (const unit of one) {
    const row = new Uint32Array(other.length + 1);
    other.forEach((each, index) => {
      if (each === unit) row[index + 1] = (before[index] ?? 0) + 1;
      longest = Math.max(longest, row[index + 1] ?? 0);
    });
    before = row;
  }
  return longest;
}
