import type { Excerpt } from "../../contract/search.ts";
import { fold, placesOf } from "./fold.ts";

/** UTF-16 units around the first place that an excerpt shows. */
const before = 40;
const after = 120;

/** The words of a search, as they are compared. */
export function wordsOf(search: string): string[] {
  return [
    ...new Set(
      fold(search)
        .text.split(" ")
        .filter((word) => word !== ""),
    ),
  ];
}

/** A word as it was typed and as it may be written instead. */
export type AskedWord = { readonly asked: string; readonly folded: string };

/** The same words for an index of texts as they were written, which has its own way of folding. */
export function askedWords(search: string): AskedWord[] {
  const words = search
    .normalize("NFC")
    .split(/\s+/u)
    .filter((word) => word !== "");
  return [...new Set(words)].map((asked) => ({ asked, folded: fold(asked).text }));
}

/** Whether all of these words are in a text. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const { text: folded } = fold(text);
  return words.every((word) => folded.includes(word));
}

/**
 * A text around the first place where one of the words stands, line ends being blanks, and the places of all of them in it.
 * @returns null where none of them is there
 */
export function excerptOf(text: string, words: readonly string[]): Excerpt | null {
  const folded = fold(text);
  const firsts = words.flatMap((word) => placesOf(folded, word, 1).map(({ start }) => start));
  if (firsts.length === 0) return null;
  const first = Math.min(...firsts);
  const start = first <= before ? 0 : wordStart(text, first - before, first);
  const end = Math.min(text.length, wholeCharacter(text, first + after));
  const shown = text.slice(start, end).replace(/\s/g, " ");
  const lead = start > 0 ? "…" : "";
  const own = fold(shown);
  const marks = words
    .flatMap((word) => placesOf(own, word, 20))
    .sort((one, other) => one.start - other.start || other.end - one.end)
    .reduce<{ start: number; end: number }[]>((kept, place) => {
      const last = kept[kept.length - 1];
      if (last !== undefined && place.start < last.end) last.end = Math.max(last.end, place.end);
      else kept.push({ ...place });
      return kept;
    }, []);
  return {
    text: `${lead}${shown}${end < text.length ? "…" : ""}`,
    marks: marks.map((place) => ({ start: place.start + lead.length, end: place.end + lead.length })),
  };
}

/** The first place behind a blank from `from` on, or `from` where there is none before `limit`. */
function wordStart(text: string, from: number, limit: number): number {
  const blank = text.slice(from, limit).search(/\s/);
  return blank >= 0 ? from + blank + 1 : wholeCharacter(text, from);
}

/** Not between the halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
