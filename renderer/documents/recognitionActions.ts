import type { RecognitionLanguage } from "../../electron/contract/document.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";
import type { DocumentActions } from "./documentActions.ts";
import { withDocument, withoutRecognition, withRecognition } from "./documentsStore.ts";

export type RecognitionActions = {
  /** Reads the text out of a document's pictures; what is done when it is stopped or fails stays done. Does not reject. */
  readonly start: (documentId: string, languages: readonly RecognitionLanguage[]) => Promise<void>;
  readonly stop: (documentId: string) => void;
};

export function createRecognitionActions(
  { engine, stores }: ActionContext,
  documents: Pick<DocumentActions, "listLibrary">,
): RecognitionActions {
  const store = stores.documents;
  const running = new Map<string, AbortController>();
  return {
    async start(documentId, languages) {
      const summary = store.getState().open[documentId];
      if (summary === undefined || running.has(documentId)) return;
      const controller = new AbortController();
      running.set(documentId, controller);
      store.setState((state) => withRecognition(state, documentId, null));
      try {
        const read = await engine(
          "recogniseText",
          { documentId, languages: [...languages] },
          {
            signal: controller.signal,
            onEvent: (event) => {
              if (event.event === "progress") store.setState((state) => withRecognition(state, documentId, event));
            },
          },
        );
        store.setState((state) => withDocument(state, read));
        await documents.listLibrary();
      } catch (error) {
        reportProblem(stores, error);
        // The engine has it in memory, with the pages that were done; one that died is asked when it is back.
        const kept = await engine("openDocument", { path: summary.path }).catch(() => null);
        if (kept?.id === documentId) store.setState((state) => withDocument(state, kept));
      } finally {
        running.delete(documentId);
        store.setState((state) => withoutRecognition(state, documentId));
      }
    },
    stop: (documentId) => running.get(documentId)?.abort(),
  };
}
