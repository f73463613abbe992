/**
 * LongBench's classification: 1 by the number of class names that an answer names, where the right one is among them; else 0. Names count as
 * whole words in any case, since “no” stands in “know”; the original looks for substrings.
 * @param classes all names there are
 */
export function classScore(answer: string, right: string, classes: readonly string[]): number {
  const named = classes.filter((name) => isNamed(answer, name));
  return named.includes(right) ? 1 / named.length : 0;
}

function isNamed(answer: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "iu").test(answer);
}
