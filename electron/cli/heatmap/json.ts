import type { DocumentSummary } from "../../contract/document.ts";
import type { Heatmap, HeatmapPart } from "../../contract/heatmap.ts";
import type { LoadedModel } from "../../contract/model.ts";
import type { Policy } from "../../contract/policies.ts";
import { alwaysOf, cellsOf } from "../../engine/export/passages.ts";

/** Raised when a reader of the file would have to change. */
const fileVersion = 1;

/** A heatmap with what it is of. */
export type HeatmapOf = {
  readonly heatmap: Heatmap;
  readonly question: string;
  readonly documents: readonly DocumentSummary[];
  /** The policy that was asked for; the heatmap has the one that was used. */
  readonly asked: Policy;
  /** The lookahead module that was used; null without one. */
  readonly module: LoadedModel["lookahead"];
};

/** One token of a heatmap's file. */
type TokenEntry = {
  /** Place in the prompt, from 0. */
  readonly token: number;
  /**
   * The entries' texts in order are the prompt's text. A token that only goes on with a character that the one before began has none,
   * and so has a control token that stands for no text.
   */
  readonly text: string;
  /** Whose text: "page" of a document, or the prompt's own. */
  readonly kind: HeatmapPart["kind"];
  /** Index in `documents`; null unless "page". */
  readonly document: number | null;
  /** From 1. */
  readonly page: number | null;
  /** Mean over layers and KV heads of the attention that was paid to it; 0 for a policy without scores. */
  readonly score: number;
  /** Layer-heads that keep it, 0 … `layerHeads`. */
  readonly kept: number;
  /** Kept whatever its score: the first tokens, the prompt's end, the window of `snapkv`. */
  readonly always: boolean;
};

/**
 * The file of a heatmap as JSON: what it is of, then one token a line. Nothing but `version` says when its shape changes; fields may
 * be added.
 */
export function* heatmapJson({ heatmap, question, documents, asked, module }: HeatmapOf): Generator<string> {
  const { model, policy, budget, promptTokens, layers, heads, keptTokens, timings } = heatmap;
  const head = {
    format: "longsight-heatmap",
    version: fileVersion,
    model,
    policy,
    askedPolicy: asked,
    module,
    budget,
    keptTokens,
    promptTokens,
    layers,
    heads,
    layerHeads: layers * heads,
    timings,
    question,
    documents: documents.map(({ id, name, kind, pages }) => ({ id, name, kind, pages: pages.length })),
  };
  yield `${JSON.stringify(head, null, 1).slice(0, -2)},\n "tokens": [`;
  let separator = "\n  ";
  let lines: string[] = [];
  for (const entry of entriesOf(heatmap, documents)) {
    lines.push(separator, JSON.stringify(entry));
    separator = ",\n  ";
    if (lines.length < 8192) continue;
    yield lines.join("");
    lines = [];
  }
  yield `${lines.join("")}\n ]\n}\n`;
}

function* entriesOf(heatmap: Heatmap, documents: readonly DocumentSummary[]): Generator<TokenEntry> {
  const isAlways = alwaysOf(heatmap);
  const numbersOf = (token: number) => ({
    score: significant(heatmap.scores[token] ?? 0),
    kept: heatmap.kept[token] ?? 0,
    always: isAlways(token),
  });
  const begin = heatmap.parts[0]?.firstToken ?? 0;
  for (let token = 0; token < begin; token++) {
    yield { token, text: "", kind: "control", document: null, page: null, ...numbersOf(token) };
  }
  for (const part of heatmap.parts) {
    const index = documents.findIndex(({ id }) => id === part.documentId);
    const place = { kind: part.kind, document: index < 0 ? null : index, page: part.page };
    for (const cell of cellsOf(heatmap, part)) {
      for (let token = cell.token; token < cell.token + cell.tokens; token++) {
        const text = token === cell.token ? part.text.slice(cell.start, cell.end) : "";
        yield { token, text, ...place, ...numbersOf(token) };
      }
    }
  }
}

/** Six digits: more are the float's noise. */
export function significant(value: number): number {
  return Number(value.toPrecision(6));
}
