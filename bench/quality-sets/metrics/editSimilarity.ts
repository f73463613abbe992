import { commonShare, longestCommon } from "./longestCommon.ts";

/**
 * How alike two texts are, 0 … 1: `fuzz.ratio` of LongBench's code tasks, which is 1 less the insertions and deletions that make one of the
 * other, by the length of both. By code points.
 */
export function editSimilarity(one: string, other: string): number {
  const [own, others] = [Array.from(one), Array.from(other)];
  return commonShare(longestCommon(own, others), own.length, others.length);
}
