import type { Stores } from "../app/context.ts";
import { useConversations, useModel } from "../app/SessionContext.tsx";
import type { Circumstances } from "./choices.ts";

/** As they are now, where nothing is drawn. */
export function circumstancesOf({ model, conversations }: Pick<Stores, "model" | "conversations">): Circumstances {
  const { current, reports } = model.getState();
  return { model: current, reports, documents: conversations.getState().current?.documents.length ?? 0 };
}

/** As they are now, for a part of the window: it is drawn again when they change. */
export function useCircumstances(): Circumstances {
  const model = useModel((state) => state.current);
  const reports = useModel((state) => state.reports);
  const documents = useConversations((state) => state.current?.documents.length ?? 0);
  return { model, reports, documents };
}
