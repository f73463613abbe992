import { diffArrays } from "diff";

/** A run of a text, and whether the other text has it too. */
export type Piece = { readonly text: string; readonly differs: boolean };

export type Differences = {
  readonly full: readonly Piece[];
  readonly kept: readonly Piece[];
  /** Words of either text that the other has not at that place. */
  readonly words: { readonly full: number; readonly kept: number };
};

/** Milliseconds after which texts count as too different to be compared word by word. */
const patience = 800;

/** What two answers have in common and what not, by words of any language; null where that would take too long. */
export function differencesOf(full: string, kept: string): Differences | null {
  const changes = diffArrays(wordsOf(full), wordsOf(kept), { timeout: patience });
  if (changes === undefined) return null;
  const side = (own: "added" | "removed"): readonly Piece[] =>
    changes
      .filter((change) => change[own] || (!change.added && !change.removed))
      .map((change) => ({ text: change.value.join(""), differs: change[own] }));
  const [left, right] = [side("removed"), side("added")];
  return { full: left, kept: right, words: { full: wordsIn(left), kept: wordsIn(right) } };
}

/** Lines, and of very long ones pieces: a segmenter copies its whole text for each segment. */
const shortPieces = /[^\n]{1,1000}\n?|\n/gu;

/** A text as words, with all that is between them. */
function wordsOf(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  return (text.match(shortPieces) ?? []).flatMap((piece) => Array.from(segmenter.segment(piece), ({ segment }) => segment));
}

const letter = /[\p{L}\p{N}]/u;

function wordsIn(pieces: readonly Piece[]): number {
  return pieces
    .filter(({ differs }) => differs)
    .reduce((sum, { text }) => sum + wordsOf(text).filter((segment) => letter.test(segment)).length, 0);
}
