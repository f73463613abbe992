import type { Cell, Passage } from "./passages.ts";

/** What the heat is told of: each token, or the words, sentences or paragraphs that they make up. */
export const granularities = ["token", "word", "sentence", "paragraph"] as const;
export type Granularity = (typeof granularities)[number];

/** A run of a page's text that is shaded as one. */
export type Unit = {
  /** In the page's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The first token's place in the prompt, and how many there are. */
  readonly token: number;
  readonly tokens: number;
  /** Of a word that of its highest token; of a sentence or paragraph the mean over its cells. */
  readonly score: number;
  /** Kept whatever its score: it has no rank. */
  readonly always: boolean;
};

/** The units of a page, in order, without gaps. */
export function unitsOf({ text, cells }: Pick<Passage, "text" | "cells">, granularity: Granularity): Unit[] {
  if (granularity === "token") return cells.map(unitOf);
  const ends = endsOf(text, granularity);
  const units: Unit[] = [];
  let run: Cell[] = [];
  let segment = 0;
  for (const cell of cells) {
    // A token mostly begins with the blank before its word.
    const anchor = firstInk(text, cell);
    let own = segment;
    while (own < ends.length - 1 && anchor >= (ends[own] ?? 0)) own += 1;
    if (own !== segment && run.length > 0) {
      units.push(joined(run, granularity));
      run = [];
    }
    segment = own;
    run.push(cell);
  }
  if (run.length > 0) units.push(joined(run, granularity));
  return units;
}

/** In how many layer-heads a unit is kept: that of its best token, or for a sentence or paragraph the mean, rounded. */
export function keptOf({ token, tokens }: Pick<Unit, "token" | "tokens">, kept: Uint16Array, granularity: Granularity): number {
  let most = 0;
  let sum = 0;
  for (let place = token; place < token + tokens; place++) {
    const own = kept[place] ?? 0;
    most = Math.max(most, own);
    sum += own;
  }
  return granularity === "token" || granularity === "word" ? most : Math.round(sum / Math.max(1, tokens));
}

function unitOf({ start, end, token, tokens, score, always }: Cell): Unit {
  return { start, end, token, tokens, score, always };
}

function joined(cells: readonly Cell[], granularity: Granularity): Unit {
  const [first] = cells;
  const last = cells[cells.length - 1];
  if (first === undefined || last === undefined) throw new RangeError("A unit has at least one cell.");
  const scores = cells.map((cell) => cell.score);
  return {
    start: first.start,
    end: last.end,
    token: first.token,
    tokens: last.token + last.tokens - first.token,
    score: granularity === "word" ? Math.max(...scores) : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    always: cells.every((cell) => cell.always),
  };
}

const segmenters = {
  word: new Intl.Segmenter(undefined, { granularity: "word" }),
  sentence: new Intl.Segmenter(undefined, { granularity: "sentence" }),
};

/** Where the text's words, sentences or paragraphs end, ascending; the last is the text's own end. */
function endsOf(text: string, granularity: Exclude<Granularity, "token">): number[] {
  if (granularity === "paragraph") return [...Array.from(text.matchAll(/\n\s*\n/g), (blank) => blank.index + blank[0].length), text.length];
  // The end of a line is none of a sentence's, unless a blank line follows. Each unit stays in its place.
  const joinedLines = text.replace(/(?<!\n[^\S\n]*)\n(?![^\S\n]*\n)/g, " ");
  const ends = Array.from(segmenters[granularity].segment(joinedLines), ({ index, segment }) => index + segment.length);
  return ends.length === 0 ? [text.length] : ends;
}

function firstInk(text: string, { start, end }: Pick<Cell, "start" | "end">): number {
  for (let place = start; place < end; place++) if (/\S/.test(text.charAt(place))) return place;
  return start;
}
