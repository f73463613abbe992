import { createStore, type StoreApi } from "zustand/vanilla";
import type { Turn } from "../../electron/contract/conversation.ts";
import type { ProgressEvent } from "../../electron/contract/engine.ts";
import type { Problem } from "../../electron/contract/errors.ts";
import type { Message } from "../../electron/contract/said.ts";

/** An answer that is asked for in one conversation: under way, or refused before anything was written down. */
export type LiveAnswer = {
  readonly conversationId: string;
  readonly question: string;
  readonly replaceTurnId: string | null;
  readonly status: "running" | "failed";
  /** As the engine wrote it down; null until then. */
  readonly turn: Turn | null;
  readonly text: string;
  readonly progress: ProgressEvent | null;
  readonly problem: Problem | null;
  /** What the engine had to say of it meanwhile. */
  readonly notices: readonly Message[];
};

/** How an answer that was under way came to its end, said once to those who do not see it. */
export type AnswerEnd = { readonly conversationId: string; readonly status: Exclude<Turn["status"], "writing"> };

export type AnswerState = {
  /** By conversation: text can only land in its own. */
  readonly live: Readonly<Record<string, LiveAnswer>>;
  /** The last end, until something is asked or another conversation is shown. */
  readonly ended: AnswerEnd | null;
  /** Ids of turns that were stopped here while the engine has not said yet what it kept of them. */
  readonly stopping: readonly string[];
  /** What the engine had to say of answers of this run, by the id of their turn. */
  readonly notices: Readonly<Record<string, readonly Message[]>>;
};
export type AnswerStore = StoreApi<AnswerState>;

export function createAnswerStore(): AnswerStore {
  return createStore<AnswerState>(() => ({ live: {}, ended: null, stopping: [], notices: {} }));
}

export function withAsked(state: AnswerState, conversationId: string, question: string, replaceTurnId: string | null): AnswerState {
  const asked: LiveAnswer = {
    conversationId,
    question,
    replaceTurnId,
    status: "running",
    turn: null,
    text: "",
    progress: null,
    problem: null,
    notices: [],
  };
  return { ...state, live: { ...state.live, [conversationId]: asked }, ended: null };
}

/** Changes the live answer of one conversation; nothing where there is none any longer. */
export function withLive(
  state: AnswerState,
  conversationId: string,
  change: (live: LiveAnswer) => Partial<Omit<LiveAnswer, "conversationId">>,
): AnswerState {
  const live = state.live[conversationId];
  if (live === undefined) return state;
  return { ...state, live: { ...state.live, [conversationId]: { ...live, ...change(live) } } };
}

export function withoutLive(state: AnswerState, conversationId: string): AnswerState {
  const { [conversationId]: _ended, ...live } = state.live;
  return { ...state, live };
}

/** Something to know of an answer that is under way; the same sentence is not said twice. */
export function withNotice(state: AnswerState, conversationId: string, notice: Message): AnswerState {
  const said = withLive(state, conversationId, ({ notices }) =>
    notices.some(({ message }) => message === notice.message) ? {} : { notices: [...notices, notice] },
  );
  const live = said.live[conversationId];
  return live === undefined || live.turn === null ? said : { ...said, notices: { ...said.notices, [live.turn.id]: live.notices } };
}

export function withEnd(state: AnswerState, conversationId: string, status: Turn["status"]): AnswerState {
  return { ...state, ended: status === "writing" ? null : { conversationId, status } };
}

/** The answer that is being written or waited for, in any conversation. */
export function runningAnswer(state: AnswerState): LiveAnswer | null {
  return Object.values(state.live).find((live) => live.status === "running") ?? null;
}

/**
 * A turn as it is to be shown: with the text that came since it was loaded. One that says it is being written while nobody
 * writes it was left behind by a process that ended.
 */
export function shownTurn(turn: Turn, live: LiveAnswer | null): Turn {
  if (turn.status !== "writing") return turn;
  if (live === null || live.turn?.id !== turn.id) return { ...turn, status: "interrupted" };
  return live.text.length >= turn.answer.length ? { ...turn, answer: live.text } : turn;
}
