import { createHash } from "node:crypto";
import type { HeatmapOf } from "../../../electron/cli/heatmap/json.ts";
import type { DocumentSummary } from "../../../electron/contract/document.ts";
import type { Heatmap, HeatmapPart } from "../../../electron/contract/heatmap.ts";

/** A part as pieces of text, one for each token. An empty piece goes on with the character that the next one brings. */
type Pieces = Pick<HeatmapPart, "kind"> & {
  readonly pieces: readonly string[];
  readonly page?: number;
  readonly document?: string;
  readonly prefix?: string;
};

export const idOf = (name: string) => createHash("sha256").update(name).digest("hex");

/** A heatmap of these parts. Scores and kept counts are by token; `begin` tokens come before all parts. */
export function heatmapOf(
  given: readonly Pieces[],
  numbers: {
    begin?: number;
    scores?: (token: number) => number;
    kept?: (token: number) => number;
    always?: readonly number[];
    layers?: number;
    heads?: number;
  } = {},
): Heatmap {
  const { begin = 0, scores = () => 0, kept = () => 0, always = [], layers = 2, heads = 4 } = numbers;
  const starts: number[] = new Array<number>(begin).fill(0);
  const parts = given.map(({ kind, pieces, page, document, prefix = "" }): HeatmapPart => {
    const firstToken = starts.length;
    let at = 0;
    for (const piece of pieces) {
      starts.push(at);
      at += piece.length;
    }
    return {
      kind,
      documentId: document === undefined ? null : idOf(document),
      page: page ?? null,
      text: pieces.join(""),
      prefixLength: prefix.length,
      firstToken,
      tokens: pieces.length,
    };
  });
  return {
    model: "tiny",
    policy: "snapkv",
    budget: 8,
    promptTokens: starts.length,
    layers,
    heads,
    keptTokens: 8,
    protectedTokens: Uint32Array.from(always),
    parts,
    documents: [],
    starts: Uint32Array.from(starts),
    scores: Float32Array.from(starts, (_, token) => scores(token)),
    kept: Uint16Array.from(starts, (_, token) => kept(token)),
    timings: { prefillMs: 10, scoringMs: 1, selectionMs: 0.5 },
  };
}

/** What a file is made of; without words of its own, of a heatmap by the policy that was asked for. */
export function fileOf(heatmap: Heatmap, documents: readonly DocumentSummary[], over: Partial<HeatmapOf> = {}): HeatmapOf {
  return { heatmap, documents, question: "Why?", asked: heatmap.policy, module: null, ...over };
}

export function documentOf(name: string, pages: number, over: Partial<DocumentSummary> = {}): DocumentSummary {
  return {
    id: idOf(name),
    name,
    path: `/documents/${name}`,
    kind: "pdf",
    bytes: 1000,
    characters: 100,
    tokens: 100,
    locked: false,
    notices: [],
    pages: Array.from({ length: pages }, (_, index) => ({
      page: index + 1,
      characters: 10,
      flags: [],
      tokens: 10,
      width: 200,
      height: 100,
    })),
    ...over,
  };
}
