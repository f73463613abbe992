import type { KeptDocument } from "../../contract/kept.ts";
import { keptCounts } from "../lookahead/kept.ts";
import type { KeptTokens } from "../lookahead/scores.ts";
import type { AssembledPrompt } from "./assemble.ts";

/** The tokens of a document's pages, which follow each other in a prompt. */
export type DocumentSpan = { readonly documentId: string; readonly start: number; readonly end: number };

/** The documents of a prompt, in its order. One that was added twice is there twice. */
export function documentSpans({ pieces }: Pick<AssembledPrompt, "pieces">): DocumentSpan[] {
  const spans: DocumentSpan[] = [];
  let open: string | null = null;
  for (const { part, tokenised, firstToken } of pieces) {
    const end = firstToken + tokenised.tokens.length;
    const last = spans[spans.length - 1];
    if (part.kind === "page" && part.documentId === open && last !== undefined) spans[spans.length - 1] = { ...last, end };
    else if (part.kind === "page") spans.push({ documentId: part.documentId, start: firstToken, end });
    open = part.kind === "page" ? part.documentId : null;
  }
  return spans;
}

/** What is kept of each document: tokens per layer and KV head, on average. */
export function keptOfDocuments(spans: readonly DocumentSpan[], kept: KeptTokens): KeptDocument[] {
  const counts = keptCounts(kept);
  const rows = kept.layers * kept.heads;
  return spans.map(({ documentId, start, end }) => {
    const sum = counts.subarray(start, end).reduce((total, count) => total + count, 0);
    return { documentId, tokens: end - start, keptTokens: rows === 0 ? 0 : sum / rows };
  });
}
