import { tokenSpans } from "../../electron/engine/documents/tokens.ts";
import type { Needle } from "./needle.ts";

/** A story as running text: one line for each paragraph, without the line ends and blanks of its typesetting. */
export function plainStory(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter((paragraph) => paragraph !== "")
    .join("\n");
}

/**
 * The beginning of a text, up to a word's end.
 * @param tokenBytes UTF-8 bytes of each token of the text
 * @param tokens that it has at most
 */
export function cutToTokens(text: string, tokenBytes: Uint32Array, tokens: number): string {
  if (tokens >= tokenBytes.length) return text;
  const end = tokenSpans(text, tokenBytes)[Math.max(0, tokens)] ?? 0;
  return text.slice(0, end).replace(/\S*$/, "").trimEnd();
}

/** The text with the needles between its sentences, each as near to its depth as a sentence ends. */
export function placeNeedles(text: string, needles: readonly Needle[]): string {
  const places = [0, ...Array.from(text.matchAll(/[.!?]["'”’]?\s+/g), (match) => match.index + match[0].length)];
  const placed = needles.map(({ depth, sentence }) => ({ place: nearest(places, depth * text.length), sentence }));
  // From the end on, so that the places before stay right.
  placed.sort((one, other) => other.place - one.place);
  return placed.reduce((whole, { place, sentence }) => `${whole.slice(0, place)}${sentence} ${whole.slice(place)}`, text);
}

function nearest(places: readonly number[], wanted: number): number {
  return places.reduce((best, place) => (Math.abs(place - wanted) < Math.abs(best - wanted) ? place : best), 0);
}
