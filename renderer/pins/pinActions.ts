import type { Conversation } from "../../electron/contract/conversation.ts";
import { toProblem } from "../../electron/contract/errors.ts";
import type { Pin } from "../../electron/contract/pin.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";
import { choiceOf } from "../budget/choice.ts";
import { usedChoice } from "../budget/choices.ts";
import { circumstancesOf } from "../budget/circumstances.ts";
import { withConversation } from "../conversations/conversationsStore.ts";
import { withProblem } from "../shell/shellStore.ts";
import { translate } from "../text/i18n.ts";
import { withoutBlanks, withoutPin, withPin } from "./pinList.ts";

export type PinActions = {
  /** What is selected on the pages now; an empty list for nothing. */
  readonly select: (selected: readonly Pin[], at: { readonly left: number; readonly top: number } | null) => void;
  /** Pins what is selected. Does not reject. */
  readonly pinSelected: () => Promise<void>;
  readonly unpin: (pin: Pin) => Promise<void>;
  /** Reads the words of the current conversation's pins anew. */
  readonly refresh: () => Promise<void>;
};

export function createPinActions({ engine, stores }: ActionContext): PinActions {
  const { pins: store } = stores;
  let lastRefresh = 0;

  const current = (): Conversation | null => stores.conversations.getState().current;

  /** A budget that has no room for the pins is known before the next question, as far as there was one; what to do is in the message. */
  async function sayRefusal({ id, turns }: Conversation): Promise<void> {
    const choice = choiceOf(stores);
    const last = turns.at(-1);
    if (choice.budget === "full" || last === undefined || last.status === "writing" || stores.model.getState().current === null) return;
    const { policy, draftModel, share } = usedChoice(choice, circumstancesOf(stores));
    try {
      await engine("preview", { conversationId: id, budget: choice.budget, policy, draftModel, share });
    } catch (error) {
      const problem = toProblem(error);
      if (problem.code === "usage") stores.shell.setState((state) => withProblem(state, problem));
    }
  }

  async function set(conversation: Conversation, pins: readonly Pin[], said: string): Promise<void> {
    try {
      const changed = await engine("setPins", { conversationId: conversation.id, pins: [...pins] });
      stores.conversations.setState((state) => withConversation(state, changed));
      store.setState({ said });
      await sayRefusal(changed);
    } catch (error) {
      reportProblem(stores, error);
    }
  }

  return {
    select(selected, selectedAt) {
      const before = store.getState();
      // Each step of a selection tells of itself, mostly of nothing.
      if (selected.length > 0 || before.selected.length > 0) store.setState({ selected, selectedAt });
    },
    async pinSelected() {
      const conversation = current();
      const { selected } = store.getState();
      if (conversation === null || selected.length === 0) return;
      store.setState({ selected: [], selectedAt: null });
      try {
        let { pins } = conversation;
        for (const pin of selected) {
          const { text } = await engine("pageText", { documentId: pin.documentId, page: pin.page });
          const words = withoutBlanks(text, pin);
          if (words !== null) pins = withPin(pins, words);
        }
        await set(conversation, pins, translate("pins.pinned"));
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async unpin(pin) {
      const conversation = current();
      if (conversation !== null) await set(conversation, withoutPin(conversation.pins, pin), translate("pins.unpinned"));
    },
    async refresh() {
      lastRefresh += 1;
      const ticket = lastRefresh;
      const conversation = current();
      if (conversation === null || conversation.pins.length === 0) return store.setState({ listed: [] });
      try {
        const listed = await engine("listPins", { conversationId: conversation.id });
        if (ticket === lastRefresh) store.setState({ listed });
      } catch (error) {
        reportProblem(stores, error);
      }
    },
  };
}
