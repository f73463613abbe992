import { useMemo } from "react";
import type { Conversation } from "../../electron/contract/conversation.ts";
import type { Settings } from "../../electron/contract/shell.ts";
import type { Stores } from "../app/context.ts";
import { useConversations, useShell } from "../app/SessionContext.tsx";
import type { BudgetSettings } from "./budget.ts";

/** How a conversation's answers are made: as was chosen in it, else as the settings say. */
export function choiceIn(settings: Settings, conversation: Pick<Conversation, "choice"> | null): BudgetSettings {
  const { budget, policy, draftModel, mode, share } = conversation?.choice ?? settings;
  return { budget, policy, draftModel, mode, share };
}

/** As it is now for the current conversation, where nothing is drawn. */
export function choiceOf({ shell, conversations }: Pick<Stores, "shell" | "conversations">): BudgetSettings {
  return choiceIn(shell.getState().settings, conversations.getState().current);
}

/** The same for a part of the window: it is drawn again when it changes. */
export function useChoice(): BudgetSettings {
  const settings = useShell((state) => state.settings);
  const conversation = useConversations((state) => state.current);
  return useMemo(() => choiceIn(settings, conversation), [settings, conversation]);
}
