import { toProblem } from "../../electron/contract/errors.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";

export type DraftKeeper = {
  /** Writes down at once what is not yet. */
  readonly flush: () => void;
  readonly dispose: () => void;
};

/** Milliseconds that typing may go on before it is written down: what a crash may cost. */
const saveEvery = 400;

/**
 * Keeps what is typed and not sent with its conversation, over switches and restarts.
 * @param begin makes a conversation for what is typed where there is none
 */
export function createDraftKeeper({ engine, stores }: ActionContext, begin: () => Promise<unknown>): DraftKeeper {
  const unsaved = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | null = null;

  async function save(conversationId: string): Promise<void> {
    const draft = stores.prompt.getState().drafts[conversationId] ?? "";
    try {
      await engine("setDraft", { conversationId, draft });
    } catch (error) {
      // It was deleted meanwhile.
      if (toProblem(error).code !== "conversation-unknown") reportProblem(stores, error);
    }
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const ids = [...unsaved];
    unsaved.clear();
    for (const id of ids) {
      if (id !== "") void save(id);
      else if ((stores.prompt.getState().drafts[""] ?? "").trim() !== "") void begin();
    }
  }

  const end = stores.prompt.subscribe((state, before) => {
    if (state.drafts === before.drafts) return;
    for (const [id, draft] of Object.entries(state.drafts)) {
      // One that has just come from the engine is there already; whatever is typed later is written down, were it the same.
      const loaded = state.loadedDrafts !== before.loadedDrafts && state.loadedDrafts[id] === draft;
      if (draft !== (before.drafts[id] ?? "") && !loaded) unsaved.add(id);
    }
    if (unsaved.size > 0) timer ??= setTimeout(flush, saveEvery);
  });

  return {
    flush,
    dispose() {
      if (timer !== null) clearTimeout(timer);
      end();
    },
  };
}
