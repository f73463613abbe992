import type { Citation } from "../../contract/export.ts";
import type { PromptDocument } from "../conversation/prompt.ts";
import { fold } from "../search/fold.ts";

/** Share of a sentence's words, by weight, that a page must have. */
const leastShare = 0.6;
/** Different words of a sentence that a page must have: fewer stand on any page. */
const leastWords = 3;
/** Other pages count too that have nearly as much as the best one. */
const nearlyAsMuch = 0.95;
const mostPages = 3;

/** Scripts without blanks between words: two characters at a time stand for a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/u;
const wordPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+|[\p{L}\p{N}]+/gu;

/** The different words of a text, folded. */
export function wordSet(text: string): Set<string> {
  const words = new Set<string>();
  for (const [run] of fold(text).text.matchAll(wordPattern)) {
    if (!unspaced.test(run)) words.add(run);
    else for (let at = 0; at + 2 <= run.length; at += 1) words.add(run.slice(at, at + 2));
  }
  return words;
}

type PageWords = { readonly page: Citation["pages"][number]; readonly words: ReadonlySet<string> };

/**
 * For each sentence of an answer the pages that say the same in the same words: those that hold most of its words, a word counting the more
 * the fewer pages have it. A sentence in words of its own has none. This is a comparison of texts; it does not ask the model.
 */
export function citationsOf(answer: string, documents: readonly PromptDocument[]): Citation[] {
  const wanted = wordSet(answer);
  const pages = documents.flatMap(({ documentId, name, pageCount, pages: texts }) =>
    texts.map(({ page, text }): PageWords => {
      const words = [...wordSet(text)].filter((word) => wanted.has(word));
      return { page: { documentId, name, page, pageCount }, words: new Set(words) };
    }),
  );
  const pagesWith = new Map<string, number>();
  for (const { words } of pages) for (const word of words) pagesWith.set(word, (pagesWith.get(word) ?? 0) + 1);
  const weightOf = (word: string) => Math.log(1 + pages.length / (0.5 + (pagesWith.get(word) ?? 0)));
  return sentencesOf(answer).flatMap(({ start, end }) => {
    const cited = pagesFor([...wordSet(answer.slice(start, end))], pages, weightOf);
    return cited.length === 0 ? [] : [{ start, end, pages: cited }];
  });
}

function pagesFor(words: readonly string[], pages: readonly PageWords[], weightOf: (word: string) => number): Citation["pages"] {
  const whole = words.reduce((sum, word) => sum + weightOf(word), 0);
  const shares = pages.flatMap(({ page, words: own }) => {
    const shared = words.filter((word) => own.has(word));
    const share = shared.reduce((sum, word) => sum + weightOf(word), 0) / whole;
    return shared.length >= leastWords && share >= leastShare ? [{ page, share }] : [];
  });
  shares.sort((one, other) => other.share - one.share);
  const best = shares[0]?.share ?? 0;
  return shares
    .filter(({ share }) => share >= nearlyAsMuch * best)
    .slice(0, mostPages)
    .map(({ page }) => page);
}

/** Lines, and of very long ones pieces: a segmenter copies its whole text for each segment. */
const shortPieces = /[^\n]{1,2000}\n?|\n/gu;

/** The sentences of a text, line by line, without the blanks around them. */
function sentencesOf(text: string): { start: number; end: number }[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
  return [...text.matchAll(shortPieces)].flatMap(({ 0: piece, index: from }) =>
    Array.from(segmenter.segment(piece)).flatMap(({ segment, index }) => {
      const start = from + index + (segment.length - segment.trimStart().length);
      const end = from + index + segment.trimEnd().length;
      return end > start ? [{ start, end }] : [];
    }),
  );
}
