import type { PromptMeasure } from "../../contract/conversation.ts";
import type { Loaded } from "../session.ts";
import { buildPrompt, type PromptPart, type PromptRequest } from "./prompt.ts";

/** A prompt as tokens, and which of them belong to what. */
export type AssembledPrompt = {
  readonly tokens: Uint32Array;
  /** Tokens by document id, in the order of the prompt. */
  readonly documentTokens: ReadonlyMap<string, number>;
  readonly questionTokens: number;
};

/** What is needed of the loaded model to count and lay out a prompt. */
type Tokeniser = Pick<Loaded, "render" | "tokenise"> & { readonly model: Pick<Loaded["model"], "firstToken"> };

/**
 * Tokenises a prompt part by part.
 * @param onPart called with the number of parts done and in all
 */
export async function assemblePrompt(
  loaded: Tokeniser,
  request: PromptRequest,
  options: { isCancelled?: () => boolean; onPart?: (done: number, total: number) => void } = {},
): Promise<AssembledPrompt> {
  const parts = buildPrompt(request, loaded.render);
  const pieces: { part: PromptPart; tokens: Uint32Array }[] = [];
  for (const [index, part] of parts.entries()) {
    if (options.isCancelled?.() === true) break;
    pieces.push({ part, tokens: (await loaded.tokenise(part)).tokens });
    options.onPart?.(index + 1, parts.length);
  }
  const first = loaded.model.firstToken;
  const begin = first !== null && pieces[0]?.tokens[0] !== first ? [first] : [];

  const tokens = new Uint32Array(begin.length + pieces.reduce((sum, piece) => sum + piece.tokens.length, 0));
  tokens.set(begin);
  const documentTokens = new Map<string, number>();
  let questionTokens = 0;
  let at = begin.length;
  for (const { part, tokens: own } of pieces) {
    tokens.set(own, at);
    at += own.length;
    if (part.kind === "page") documentTokens.set(part.documentId, (documentTokens.get(part.documentId) ?? 0) + own.length);
    if (part.kind === "question") questionTokens += own.length;
  }
  return { tokens, documentTokens, questionTokens };
}

/** Fewest tokens that must be free for an answer, where fewer than `maxTokens` are. */
const leastAnswerRoom = 128;

/** Counts a prompt against the context. It fits where an answer of `maxTokens`, or at least of 128 tokens, still has room. */
export function measure(prompt: AssembledPrompt, contextLength: number, maxTokens: number): PromptMeasure {
  const documents = [...prompt.documentTokens].map(([documentId, tokens]) => ({ documentId, tokens }));
  const documentTokens = documents.reduce((sum, document) => sum + document.tokens, 0);
  const promptTokens = prompt.tokens.length;
  const fits = promptTokens + Math.min(maxTokens, leastAnswerRoom) <= contextLength;
  return {
    documents,
    documentTokens,
    questionTokens: prompt.questionTokens,
    otherTokens: promptTokens - documentTokens - prompt.questionTokens,
    promptTokens,
    contextLength,
    answerRoom: fits ? Math.min(maxTokens, contextLength - promptTokens) : maxTokens,
    fits,
  };
}
