/** Length of the longest common subsequence of two sequences, in O(n · m) time and O(m) memory. */
export function longestCommon<Element>(one: readonly Element[], other: readonly Element[]): number {
  let before = new Uint32Array(other.length + 1);
  for (const element of one) {
    const row = new Uint32Array(other.length + 1);
    other.forEach((each, index) => {
      row[index + 1] = each === element ? (before[index] ?? 0) + 1 : Math.max(before[index + 1] ?? 0, row[index] ?? 0);
    });
    before = row;
  }
  return before[other.length] ?? 0;
}

/** Twice what two sequences share, by their lengths: 0 … 1, the harmonic mean of precision and recall; 1 of two empty ones. */
export function commonShare(shared: number, one: number, other: number): number {
  return one + other === 0 ? 1 : (2 * shared) / (one + other);
}
