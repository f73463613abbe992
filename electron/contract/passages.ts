import type { HeatmapPart, ScoredPrompt } from "./heatmap.ts";

/** A piece of a text that tokens stand for: one token, or several that share a character. */
export type Cell = {
  /** In the passage's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The first token's place in the prompt, and how many there are. */
  readonly token: number;
  readonly tokens: number;
  /** Of the best of them. */
  readonly score: number;
  readonly kept: number;
  /** Kept whatever its score: it has no rank. */
  readonly always: boolean;
};

/** A page of a document, or the question, as people see it: without the page's number and the blank lines that a prompt adds. */
export type Passage = {
  readonly kind: "page" | "question";
  readonly documentId: string | null;
  readonly page: number | null;
  readonly text: string;
  /** In order, without gaps. */
  readonly cells: readonly Cell[];
};

/** What is asked of a scored prompt to cut it into passages. */
type Scored = Pick<ScoredPrompt, "protectedTokens" | "starts" | "scores" | "kept">;

/** Whether a token is kept whatever its score. */
export function alwaysOf({ protectedTokens }: Pick<ScoredPrompt, "protectedTokens">): (token: number) => boolean {
  const tokens = new Set(protectedTokens);
  return (token) => tokens.has(token);
}

/** Tokens of a part, those that share a character together; places in the part's own text. */
export function* cellsOf(heatmap: Scored, part: HeatmapPart): Generator<Cell> {
  const { starts, scores, kept } = heatmap;
  const isAlways = alwaysOf(heatmap);
  const end = part.firstToken + part.tokens;
  const startOf = (token: number) => (token < end ? (starts[token] ?? 0) : part.text.length);
  for (let token = part.firstToken; token < end; ) {
    let next = token + 1;
    let score = scores[token] ?? 0;
    let most = kept[token] ?? 0;
    let always = isAlways(token);
    // A token that starts inside a character has that character's start, as the ones before it do.
    while (next < end && startOf(next) === startOf(token)) {
      score = Math.max(score, scores[next] ?? 0);
      most = Math.max(most, kept[next] ?? 0);
      always ||= isAlways(next);
      next += 1;
    }
    yield { start: startOf(token), end: startOf(next), token, tokens: next - token, score, kept: most, always };
    token = next;
  }
}

/** The pages and the question of a heatmap, in the prompt's order. */
export function passagesOf(heatmap: ScoredPrompt): Passage[] {
  return heatmap.parts.flatMap((part) => passageOf(heatmap, part) ?? []);
}

/** One page or question as people see it; null for any other part. */
export function passageOf(heatmap: Scored, part: HeatmapPart): Passage | null {
  if (part.kind !== "page" && part.kind !== "question") return null;
  const from = part.prefixLength;
  const to = part.kind === "page" && part.text.endsWith("\n\n") ? part.text.length - 2 : part.text.length;
  const cells: Cell[] = [];
  for (const cell of cellsOf(heatmap, part)) {
    const start = Math.max(cell.start, from) - from;
    const end = Math.min(cell.end, to) - from;
    if (end > start) cells.push({ ...cell, start, end });
  }
  return { kind: part.kind, documentId: part.documentId, page: part.page, text: part.text.slice(from, to), cells };
}
