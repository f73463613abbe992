import type { PromptMeasure } from "../../contract/conversation.ts";
import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";
import type { Tokenised } from "../llama/model.ts";
import type { Loaded } from "../session.ts";
import { buildPrompt, type PromptDocument, type PromptPart, type PromptRequest } from "./prompt.ts";

/** A prompt as tokens, and which of them belong to what. */
export type AssembledPrompt = {
  readonly tokens: Uint32Array;
  /** Tokens by document id, in the order of the prompt. */
  readonly documentTokens: ReadonlyMap<string, number>;
  readonly questionTokens: number;
  /** Where the documents end: behind their last token; 0 without documents. */
  readonly documentEnd: number;
  /** The question's first token. */
  readonly questionStart: number;
  /** Where the template's tail begins: the first token after the question. */
  readonly tailStart: number;
  /** The runs of text that the prompt is made of, in order, and where their tokens lie. */
  readonly pieces: readonly PromptPiece[];
};

export type PromptPiece = { readonly part: PromptPart; readonly tokenised: Tokenised; readonly firstToken: number };

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
  const tokenised: { part: PromptPart; tokenised: Tokenised }[] = [];
  for (const [index, part] of parts.entries()) {
    if (options.isCancelled?.() === true) break;
    tokenised.push({ part, tokenised: await loaded.tokenise(part) });
    options.onPart?.(index + 1, parts.length);
  }
  const first = loaded.model.firstToken;
  const begin = first !== null && tokenised[0]?.tokenised.tokens[0] !== first ? [first] : [];

  const tokens = new Uint32Array(begin.length + tokenised.reduce((sum, piece) => sum + piece.tokenised.tokens.length, 0));
  tokens.set(begin);
  const documentTokens = new Map<string, number>();
  const pieces: PromptPiece[] = [];
  let questionTokens = 0;
  let [documentEnd, questionStart, tailStart] = [0, 0, 0];
  let at = begin.length;
  for (const { part, tokenised: own } of tokenised) {
    tokens.set(own.tokens, at);
    pieces.push({ part, tokenised: own, firstToken: at });
    at += own.tokens.length;
    if (part.kind === "page") {
      documentTokens.set(part.documentId, (documentTokens.get(part.documentId) ?? 0) + own.tokens.length);
      documentEnd = at;
    }
    if (part.kind === "question") {
      questionStart = at - own.tokens.length;
      questionTokens += own.tokens.length;
      tailStart = at;
    }
  }
  return { tokens, documentTokens, questionTokens, documentEnd, questionStart, tailStart, pieces };
}

/** Fewest tokens that must be free for an answer, where fewer than `maxTokens` are. */
export const leastAnswerRoom = 128;

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

/**
 * @param tokens that the full cache would have to hold
 * @throws LongsightError `does-not-fit` with the numbers, where the model was loaded with room for fewer
 */
export function refuseBeyondCache(tokens: number, mostTokens: number): void {
  if (tokens <= mostTokens) return;
  throw new LongsightError("does-not-fit", say("beyondCache", { tokens, most: mostTokens }));
}

/**
 * @param rows that are decoded behind the prompt to score it
 * @param mode in `once` the remedy is another mode, else another policy
 * @throws LongsightError `does-not-fit` with the numbers, where the context has no room for them
 */
export function refuseUnscorable(
  { promptTokens, contextLength }: PromptMeasure,
  rows: number,
  mode: "question" | "once" = "question",
): void {
  if (promptTokens + rows <= contextLength) return;
  const says = mode === "once" ? "unscorableOnce" : "unscorable";
  throw new LongsightError("does-not-fit", say(says, { tokens: promptTokens, rows, most: contextLength }));
}

/**
 * @param named the documents, whose names are told where there are several
 * @param isBudgeted whether only a part is to be kept, as a heatmap always has it: people hope that this makes a longer document fit
 * @throws LongsightError `does-not-fit` with the numbers, where a prompt and the least answer are longer than the context
 */
export function refuseTooLong(
  measured: PromptMeasure,
  isBudgeted = true,
  named: readonly Pick<PromptDocument, "documentId" | "name">[] = [],
): void {
  if (measured.fits) return;
  const nameOf = (id: string) => named.find(({ documentId }) => documentId === id)?.name ?? id;
  const each = measured.documents.map(({ documentId, tokens }) => say("tokensOfDocument", { file: nameOf(documentId), tokens }));
  const tokens = measured.documentTokens;
  const message = say(isBudgeted ? "tooLongDespiteBudget" : "tooLong", {
    tokens: measured.promptTokens,
    documents: each.length < 2 ? say("tokensInAll", { tokens }) : say("tokensByDocument", { tokens, each }),
    question: measured.questionTokens,
    others: measured.otherTokens,
    most: measured.contextLength,
  });
  throw new LongsightError("does-not-fit", message);
}
