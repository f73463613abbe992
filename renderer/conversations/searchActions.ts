import type { ConversationHit } from "../../electron/contract/search.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";
import type { ConversationActions } from "./conversationActions.ts";

export type SearchActions = {
  /** Looks for what is typed in all conversations, after a pause in the typing; an empty text ends the search. */
  readonly type: (text: string) => void;
  /** Shows where something was found, another version of a question included. */
  readonly openHit: (hit: ConversationHit) => Promise<void>;
};

/** Milliseconds without a change before it is looked for. */
const pause = 150;

export function createSearchActions({ engine, stores }: ActionContext, conversations: ConversationActions): SearchActions {
  const store = stores.conversations;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let last = 0;

  async function search(text: string): Promise<void> {
    last += 1;
    const ticket = last;
    try {
      const { hits, more } = await engine("searchConversations", { text });
      if (ticket === last) store.setState(({ search: now }) => ({ search: now === null ? null : { ...now, found: { hits, more } } }));
    } catch (error) {
      if (ticket === last) reportProblem(stores, error);
    }
  }

  return {
    type(text) {
      if (timer !== null) clearTimeout(timer);
      last += 1;
      const wanted = text.trim();
      if (text === "") return store.setState({ search: null });
      store.setState(({ search: now }) => ({ search: { text, found: wanted === "" ? null : (now?.found ?? null) } }));
      if (wanted !== "") timer = setTimeout(() => void search(wanted), pause);
    },
    async openHit({ conversationId, turnId }) {
      const shown = (): boolean => store.getState().current?.turns.some(({ id }) => id === turnId) ?? false;
      await conversations.open(conversationId, async () => {
        if (turnId === null) return;
        if (!shown()) await conversations.showTurn(turnId);
        if (shown()) store.setState({ goTo: { turnId } });
      });
    },
  };
}
