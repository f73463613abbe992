import type { RandomNumbers } from "../../../electron/engine/lookahead/xoshiro.ts";
import { someAtRandom } from "./chance.ts";

/** RULER's noise: one line of it. */
export const noise = "The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again.";

/** Depths that a needle can lie at, as shares of the text: 40, from its beginning to its end. */
const depths = Array.from({ length: 40 }, (_, index) => index / 39);

/** Different depths for so many needles, ascending. */
export function drawDepths(count: number, random: RandomNumbers): number[] {
  return someAtRandom(depths, count, random).sort((one, other) => one - other);
}

/** The pieces with the needles among them, each at its depth, a needle's place in the list deciding between equal ones. */
export function insertAt(pieces: readonly string[], needles: readonly string[], at: readonly number[]): string[] {
  const places = needles.map((needle, index) => ({ needle, place: Math.floor(pieces.length * (at[index] ?? 0)) }));
  return [...pieces, null].flatMap((piece, index) => [
    ...places.filter(({ place }) => place === index).map(({ needle }) => needle),
    ...(piece === null ? [] : [piece]),
  ]);
}

/** Running text cut into sentences. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?]["'”’)]?)\s+/).filter((sentence) => sentence !== "");
}
