import { createStore, type StoreApi } from "zustand/vanilla";
import type { Conversation, PromptMeasure } from "../../electron/contract/conversation.ts";
import type { DocumentSummary } from "../../electron/contract/document.ts";
import type { Problem } from "../../electron/contract/errors.ts";
import type { LoadedModel } from "../../electron/contract/model.ts";
import type { EngineState } from "../../electron/contract/shell.ts";
import { hasNoText, type Opening, pendingOpening } from "../documents/documentsStore.ts";

export type Measured = { readonly key: string; readonly question: string; readonly measure: PromptMeasure };

/** A question that is being changed: the turn, and its text so far. */
export type Edit = { readonly turnId: string; readonly text: string };

export type PromptState = {
  /** What is typed, by conversation; the empty key is for none. */
  readonly drafts: Readonly<Record<string, string>>;
  /** Drafts as they came from the engine, by conversation. */
  readonly loadedDrafts: Readonly<Record<string, string>>;
  /** What was being edited in conversations that are not in view. */
  readonly edits: Readonly<Record<string, Edit>>;
  /** The question that is being edited in place. */
  readonly editing: Edit | null;
  readonly measured: Measured | null;
  readonly measuring: boolean;
  readonly problem: Problem | null;
  /** Key of the prompt for which the choices were put aside; they are offered once. */
  readonly putAside: string | null;
};
export type PromptStore = StoreApi<PromptState>;

export function createPromptStore(): PromptStore {
  return createStore<PromptState>(() => ({
    drafts: {},
    loadedDrafts: {},
    edits: {},
    editing: null,
    measured: null,
    measuring: false,
    problem: null,
    putAside: null,
  }));
}

/** A conversation comes into view in place of another one: each keeps what is typed or edited in it. */
export function withConversationEntered(state: PromptState, entered: Conversation, leftId: string | null): PromptState {
  const { [entered.id]: edit, ...edits } = state.edits;
  const stashed = leftId !== null && leftId !== entered.id && state.editing !== null ? { ...edits, [leftId]: state.editing } : edits;
  const editing = edit !== undefined && entered.turns.some(({ id }) => id === edit.turnId) ? edit : null;
  const known = state.drafts[entered.id] !== undefined || entered.draft === "";
  return {
    ...state,
    edits: stashed,
    editing,
    drafts: known ? state.drafts : { ...state.drafts, [entered.id]: entered.draft },
    loadedDrafts: known ? state.loadedDrafts : { ...state.loadedDrafts, [entered.id]: entered.draft },
  };
}

/** Everything a measure depends on but the question itself. */
export function measureKey(
  conversation: Conversation | null,
  model: LoadedModel | null,
  replaceTurnId: string | null,
  maxTokens: number,
): string {
  const turns = conversation?.turns.map((turn) => [turn.id, turn.status === "writing"]) ?? [];
  return JSON.stringify([
    conversation?.id ?? null,
    conversation?.documents ?? [],
    turns,
    model?.report.id ?? null,
    model?.contextLength ?? 0,
    replaceTurnId,
    maxTokens,
  ]);
}

/** True where even an empty question would not fit: the documents are too long, not what was typed. */
export function documentsDoNotFit(measure: PromptMeasure): boolean {
  return measure.documents.length > 0 && measure.promptTokens - measure.questionTokens + measure.answerRoom > measure.contextLength;
}

/** Why a question cannot be sent now. */
export type Obstacle =
  | "engine"
  | "model-loading"
  | "no-model"
  | "document-reading"
  | "document-locked"
  | "documents-not-open"
  | "no-text"
  | "does-not-fit"
  | "measuring"
  | "no-question";

export type SendFacts = {
  readonly engine: EngineState;
  readonly model: LoadedModel | null;
  readonly modelLoading: boolean;
  readonly conversation: Conversation | null;
  readonly open: Readonly<Record<string, DocumentSummary>>;
  readonly openings: readonly Opening[];
  readonly measured: Measured | null;
  /** The key that a measure must have to count. */
  readonly key: string;
  readonly question: string;
};

/**
 * The first thing that keeps a question from being sent, or null. A measure of an earlier wording counts: the engine itself
 * refuses what does not fit, so that fast typing is not held up.
 */
export function obstacleTo(facts: SendFacts): Obstacle | null {
  if (facts.engine.state !== "ready") return "engine";
  if (facts.modelLoading) return "model-loading";
  if (facts.model === null) return "no-model";
  const pending = pendingOpening(facts.openings, facts.conversation?.id ?? null);
  if (pending !== null) return `document-${pending}`;
  const summaries = (facts.conversation?.documents ?? []).map((choice) => facts.open[choice.documentId]);
  if (summaries.some((summary) => summary === undefined)) return "documents-not-open";
  if (summaries.some((summary) => summary !== undefined && hasNoText(summary))) return "no-text";
  if (facts.measured !== null && facts.measured.key === facts.key && !facts.measured.measure.fits) return "does-not-fit";
  if (facts.question.trim() === "") return "no-question";
  if (facts.measured === null || facts.measured.key !== facts.key) return "measuring";
  return null;
}
