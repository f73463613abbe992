import { commonShare, longestCommon } from "./longestCommon.ts";

/**
 * ROUGE-L (Lin 2004): F1 of the longest common subsequence of words, lower case, letters and digits only, no stemming, as the package
 * rouge_score has it for `rougeL` without a stemmer; 0 … 1, of several references the best. LongBench's package splits at full stops and counts
 * each word once, so that its figures differ by a few points.
 */
export function rougeL(answer: string, references: readonly string[]): number {
  const own = wordsOf(answer);
  const scores = references.map((reference) => {
    const words = wordsOf(reference);
    return own.length === 0 || words.length === 0 ? 0 : commonShare(longestCommon(own, words), own.length, words.length);
  });
  return Math.max(0, ...scores);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
