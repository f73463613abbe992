import type { PromptMeasure } from "../../electron/contract/conversation.ts";
import type { DocumentChoice } from "../../electron/contract/document.ts";
import { toProblem } from "../../electron/contract/errors.ts";
import type { ActionContext } from "../app/context.ts";
import { hasNoText, pendingOpening } from "../documents/documentsStore.ts";
import { documentsDoNotFit, measureKey, type Obstacle, obstacleTo } from "./promptStore.ts";

export type PromptActions = {
  readonly type: (text: string) => void;
  readonly startEditing: (turnId: string, text: string) => void;
  readonly editText: (text: string) => void;
  readonly stopEditing: () => void;
  /** Measures what would be sent now. @returns when the newest measure is in the store. */
  readonly measure: () => Promise<void>;
  /** The same, after a pause in the changes. */
  readonly measureSoon: () => void;
  /** Measures another choice of documents without taking it. @throws LongsightError */
  readonly tryDocuments: (documents: readonly DocumentChoice[], signal: AbortSignal) => Promise<PromptMeasure>;
  /** What keeps the typed or edited question from being sent. */
  readonly obstacle: () => Obstacle | null;
  readonly question: () => string;
  /** The choices for documents that do not fit are not offered again for this prompt. */
  readonly putFitAside: () => void;
  /** Offers the choices if what was measured last is what would be sent now, and no other dialog is in the way. */
  readonly offerFit: () => void;
};

/** Milliseconds without a change before the prompt is counted. */
const pause = 250;

export function createPromptActions({ engine, stores }: ActionContext): PromptActions {
  const store = stores.prompt;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let controller: AbortController | null = null;

  function question(): string {
    const { editing, drafts } = store.getState();
    return editing?.text ?? drafts[stores.conversations.getState().current?.id ?? ""] ?? "";
  }

  function currentKey(): string {
    return measureKey(
      stores.conversations.getState().current,
      stores.model.getState().current,
      store.getState().editing?.turnId ?? null,
      stores.shell.getState().settings.sampling.maxTokens,
    );
  }

  /** All documents are there, and each has something to count. */
  function documentsAreReady(): boolean {
    const { open, openings } = stores.documents.getState();
    const { current } = stores.conversations.getState();
    if (pendingOpening(openings, current?.id ?? null) !== null) return false;
    return (current?.documents ?? []).every((choice) => {
      const summary = open[choice.documentId];
      return summary !== undefined && !hasNoText(summary);
    });
  }

  async function measure(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    controller?.abort();
    const ready = stores.shell.getState().engine.state === "ready" && stores.model.getState().current !== null && documentsAreReady();
    if (!ready) return store.setState({ measured: null, measuring: false, problem: null });
    const mine = new AbortController();
    controller = mine;
    const key = currentKey();
    const asked = question();
    const { current } = stores.conversations.getState();
    store.setState({ measuring: true });
    try {
      const measured = await engine(
        "measurePrompt",
        {
          conversationId: current?.id ?? null,
          documents: current?.documents ?? [],
          question: asked,
          replaceTurnId: store.getState().editing?.turnId ?? null,
          maxTokens: stores.shell.getState().settings.sampling.maxTokens,
        },
        { signal: mine.signal },
      );
      if (mine.signal.aborted) return;
      store.setState({ measured: { key, question: asked, measure: measured }, measuring: false, problem: null });
      offerFit();
    } catch (error) {
      if (mine.signal.aborted) return;
      store.setState({ measured: null, measuring: false, problem: toProblem(error) });
    }
  }

  /** Documents that are too long ask by themselves, once. */
  function offerFit(): void {
    const { measured, putAside } = store.getState();
    if (measured === null || measured.key !== currentKey() || !documentsDoNotFit(measured.measure)) return;
    if (putAside === measured.key || stores.shell.getState().dialog !== null) return;
    stores.shell.setState({ dialog: "fit" });
  }

  return {
    type(text) {
      const id = stores.conversations.getState().current?.id ?? "";
      store.setState((state) => ({ drafts: { ...state.drafts, [id]: text } }));
    },
    startEditing(turnId, text) {
      store.setState({ editing: { turnId, text } });
    },
    editText(text) {
      store.setState((state) => (state.editing === null ? state : { editing: { ...state.editing, text } }));
    },
    stopEditing() {
      store.setState({ editing: null });
    },
    measure,
    measureSoon() {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => void measure(), pause);
    },
    tryDocuments(documents, signal) {
      return engine(
        "measurePrompt",
        {
          conversationId: stores.conversations.getState().current?.id ?? null,
          documents: [...documents],
          question: question(),
          replaceTurnId: store.getState().editing?.turnId ?? null,
          maxTokens: stores.shell.getState().settings.sampling.maxTokens,
        },
        { signal },
      );
    },
    obstacle() {
      return obstacleTo({
        engine: stores.shell.getState().engine,
        model: stores.model.getState().current,
        modelLoading: stores.model.getState().looking || stores.model.getState().loading !== null,
        conversation: stores.conversations.getState().current,
        open: stores.documents.getState().open,
        openings: stores.documents.getState().openings,
        measured: store.getState().measured,
        key: currentKey(),
        question: question(),
      });
    },
    question,
    putFitAside() {
      store.setState({ putAside: currentKey() });
    },
    offerFit,
  };
}
