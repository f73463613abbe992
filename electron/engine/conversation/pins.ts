import type { CacheMode } from "../../contract/conversation.ts";
import type { DocumentChoice } from "../../contract/document.ts";
import { LongsightError } from "../../contract/errors.ts";
import type { ListedPin, Pin } from "../../contract/pin.ts";
import type { Share } from "../../contract/policies.ts";
import { say } from "../../contract/said.ts";
import type { OpenDocuments } from "../documents/openDocuments.ts";
import { findQuote } from "../documents/quotes.ts";
import { tokensTouching } from "../documents/tokens.ts";
import type { PlannedPrompt } from "../lookahead/plan.ts";
import type { TokenRange } from "../lookahead/protect.ts";
import type { AssembledPrompt } from "./assemble.ts";
import { documentSpans } from "./documentSpans.ts";
import { type PromptDocument, pagePrefix } from "./prompt.ts";

/**
 * What a plan has to know of a prompt with pinned passages and several documents. Where evictions come before the question is read, in every
 * mode but `question`, all of it is protected.
 * @throws LongsightError `usage` for a pin that is not in the prompt
 */
export function plannedPrompt(
  prompt: AssembledPrompt,
  documents: readonly PromptDocument[],
  { pins, share, mode }: { readonly pins: readonly Pin[]; readonly share: Share; readonly mode: CacheMode },
): PlannedPrompt {
  const spans = documentSpans(prompt);
  return {
    promptTokens: prompt.tokens.length,
    questionStart: prompt.questionStart,
    tailStart: mode === "question" ? prompt.tailStart : prompt.questionStart,
    pinned: pins.map((pin) => tokensOfPin(prompt, documents, pin)),
    ...(share === "score" || spans.length < 2 ? {} : { share: { rule: share, documents: spans } }),
  };
}

/**
 * The tokens of the prompt that touch a pinned passage.
 * @throws LongsightError `usage` naming the passage, where it is not in the prompt
 */
function tokensOfPin({ pieces }: AssembledPrompt, documents: readonly PromptDocument[], pin: Pin): TokenRange {
  const { prefix } = placeOf(documents, pin);
  const piece = pieces.find(({ part }) => part.kind === "page" && part.documentId === pin.documentId && part.page === pin.page);
  if (piece === undefined) throw new TypeError("a chosen page is not in the prompt");
  const range = { start: prefix + pin.start, end: prefix + pin.end };
  const touched = tokensTouching(piece.part.text, piece.tokenised.bytes, range);
  return { start: piece.firstToken + touched.start, end: piece.firstToken + touched.end };
}

/**
 * The words of a pin, and how many units stand before its page's text in a prompt.
 * @throws LongsightError `usage` where the page is not chosen or its text ends before the passage does
 */
function placeOf(documents: readonly PromptDocument[], pin: Pin): { text: string; prefix: number } {
  const document = documents.find(({ documentId }) => documentId === pin.documentId);
  if (document === undefined) {
    throw new LongsightError("usage", say("pinOfNoDocument", { page: pin.page }));
  }
  const where = { start: pin.start, end: pin.end, page: pin.page, file: document.name };
  const page = document.pages.find((chosen) => chosen.page === pin.page);
  if (page === undefined) {
    const isBeyond = pin.page > document.pageCount;
    throw new LongsightError(
      "usage",
      isBeyond ? say("pinBeyondDocument", { ...where, count: document.pageCount }) : say("pinOnOtherPage", where),
    );
  }
  if (pin.end > page.text.length) {
    throw new LongsightError("usage", say("pinBeyondPage", { ...where, count: page.text.length }));
  }
  return { text: page.text.slice(pin.start, pin.end), prefix: pagePrefix(pin.page, document.pageCount > 1).length };
}

/** @throws LongsightError `usage` for the first pin that is not on the chosen pages; also what opening the documents for a prompt throws */
export function refusePins(documents: OpenDocuments, choices: readonly DocumentChoice[], pins: readonly Pin[]): void {
  if (pins.length === 0) return;
  const chosen = documents.forPrompt(choices);
  for (const pin of pins) placeOf(chosen, pin);
}

/** Pins with their words, or with what is in their way. */
export function listPins(documents: OpenDocuments, choices: readonly DocumentChoice[], pins: readonly Pin[]): ListedPin[] {
  return pins.map((pin) => {
    try {
      const chosen = documents.forPrompt(choices.filter(({ documentId }) => documentId === pin.documentId));
      return { pin, text: placeOf(chosen, pin).text, problem: null };
    } catch (error) {
      if (!(error instanceof LongsightError)) throw error;
      return { pin, text: null, problem: error.message, ...(error.said === undefined ? {} : { said: error.said }) };
    }
  });
}

/** Most places of a quotation that are told. */
const mostPassages = 100;

/** Where a quotation stands on the chosen pages. @throws LongsightError as `forPrompt` */
export function findPassages(documents: OpenDocuments, choices: readonly DocumentChoice[], text: string): Pin[] {
  const found: Pin[] = [];
  for (const { documentId, pages } of documents.forPrompt(choices)) {
    for (const page of pages) {
      const places = findQuote(page.text, text, mostPassages - found.length);
      found.push(...places.map((place) => ({ documentId, page: page.page, ...place })));
      if (found.length >= mostPassages) return found;
    }
  }
  return found;
}
