import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { AnswerState } from "../answer/answerStore.ts";
import type { CompareState } from "../compare/compareStore.ts";
import type { ConversationsState } from "../conversations/conversationsStore.ts";
import type { DocumentsState } from "../documents/documentsStore.ts";
import type { HeatState } from "../heat/heatStore.ts";
import type { ModelState } from "../model/modelStore.ts";
import type { FindState } from "../pages/findStore.ts";
import type { ViewState } from "../pages/viewStore.ts";
import type { PinsState } from "../pins/pinsStore.ts";
import type { PromptState } from "../prompt/promptStore.ts";
import type { ShellState } from "../shell/shellStore.ts";
import type { SnapshotsState } from "../snapshots/snapshotsStore.ts";
import type { Session } from "./session.ts";

const SessionContext = createContext<Session | null>(null);

export const SessionProvider = SessionContext.Provider;

/** Everything a person can do in this window. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("A part of the window was used outside of its session.");
  return session;
}

export function useShell<Selected>(select: (state: ShellState) => Selected): Selected {
  return useStore(useSession().stores.shell, select);
}
export function useDocuments<Selected>(select: (state: DocumentsState) => Selected): Selected {
  return useStore(useSession().stores.documents, select);
}
export function useConversations<Selected>(select: (state: ConversationsState) => Selected): Selected {
  return useStore(useSession().stores.conversations, select);
}
export function useAnswers<Selected>(select: (state: AnswerState) => Selected): Selected {
  return useStore(useSession().stores.answer, select);
}
export function useModel<Selected>(select: (state: ModelState) => Selected): Selected {
  return useStore(useSession().stores.model, select);
}
export function usePrompt<Selected>(select: (state: PromptState) => Selected): Selected {
  return useStore(useSession().stores.prompt, select);
}
export function useView<Selected>(select: (state: ViewState) => Selected): Selected {
  return useStore(useSession().stores.view, select);
}
export function useCompare<Selected>(select: (state: CompareState) => Selected): Selected {
  return useStore(useSession().stores.compare, select);
}
export function useFind<Selected>(select: (state: FindState) => Selected): Selected {
  return useStore(useSession().stores.find, select);
}
export function useSnapshots<Selected>(select: (state: SnapshotsState) => Selected): Selected {
  return useStore(useSession().stores.snapshots, select);
}
export function useHeat<Selected>(select: (state: HeatState) => Selected): Selected {
  return useStore(useSession().stores.heat, select);
}
export function usePins<Selected>(select: (state: PinsState) => Selected): Selected {
  return useStore(useSession().stores.pins, select);
}
