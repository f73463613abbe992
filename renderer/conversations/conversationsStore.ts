import { createStore, type StoreApi } from "zustand/vanilla";
import type { Conversation, ConversationSummary, Turn } from "../../electron/contract/conversation.ts";
import type { ConversationHits } from "../../electron/contract/search.ts";

export type ConversationsState = {
  readonly list: readonly ConversationSummary[];
  readonly current: Conversation | null;
  /** What was deleted in this run and can come back, the last one at the end. */
  readonly deleted: readonly DeletedConversation[];
  /** What is looked for in all conversations, and what was found last; null while nothing is. */
  readonly search: { readonly text: string; readonly found: ConversationHits | null } | null;
  /** A turn to bring into view; a new object for each wish. */
  readonly goTo: { readonly turnId: string } | null;
};

export type DeletedConversation = { readonly id: string; readonly title: string; readonly wasCurrent: boolean };

export type ConversationsStore = StoreApi<ConversationsState>;

export function createConversationsStore(): ConversationsStore {
  return createStore<ConversationsState>(() => ({ list: [], current: null, deleted: [], search: null, goTo: null }));
}

/** The turns that stay in view when another version of `replaceTurnId` is asked. */
export function turnsBefore(turns: readonly Turn[], replaceTurnId: string | null): readonly Turn[] {
  const index = replaceTurnId === null ? -1 : turns.findIndex((turn) => turn.id === replaceTurnId);
  return index === -1 ? turns : turns.slice(0, index);
}

/** A turn was written down: it goes to its own conversation and to no other. */
export function withTurnStarted(
  state: ConversationsState,
  conversationId: string,
  turn: Turn,
  replaceTurnId: string | null,
): ConversationsState {
  const { current } = state;
  if (current === null || current.id !== conversationId) return state;
  const before = turnsBefore(current.turns, replaceTurnId).filter((other) => other.id !== turn.id);
  return { ...state, current: { ...current, turns: [...before, turn] } };
}

/** A turn came to its end; in a conversation that is not in view there is nothing to change. */
export function withTurnSettled(state: ConversationsState, conversationId: string, turn: Turn): ConversationsState {
  const { current } = state;
  if (current === null || current.id !== conversationId) return state;
  const known = current.turns.some((other) => other.id === turn.id);
  const turns = known ? current.turns.map((other) => (other.id === turn.id ? turn : other)) : [...current.turns, turn];
  return { ...state, current: { ...current, turns } };
}

/** Which versions the turns in view have. */
export function withVersions(state: ConversationsState, conversationId: string, versions: Conversation["versions"]): ConversationsState {
  const { current } = state;
  return current === null || current.id !== conversationId ? state : { ...state, current: { ...current, versions } };
}

/** A conversation as the engine has it now; `list` keeps its place in order of the last change. */
export function withConversation(state: ConversationsState, conversation: Conversation): ConversationsState {
  const { id, title, createdAt, updatedAt, turns } = conversation;
  const summary: ConversationSummary = { id, title, createdAt, updatedAt, turns: turns.length };
  const known = state.list.some((other) => other.id === conversation.id);
  return {
    ...state,
    list: known ? state.list.map((other) => (other.id === conversation.id ? summary : other)) : [summary, ...state.list],
    current: state.current === null || state.current.id === conversation.id ? conversation : state.current,
  };
}

export function withoutConversation(state: ConversationsState, conversationId: string): ConversationsState {
  return {
    ...state,
    list: state.list.filter((other) => other.id !== conversationId),
    current: state.current?.id === conversationId ? null : state.current,
  };
}
