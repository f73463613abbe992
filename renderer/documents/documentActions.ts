import type { Conversation } from "../../electron/contract/conversation.ts";
import type { DocumentSummary } from "../../electron/contract/document.ts";
import { LongsightError, type Problem, toProblem } from "../../electron/contract/errors.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";
import { translate } from "../text/i18n.ts";
import { withDocument, withOpening, withOpeningChanged, withOpeningsFor, withoutOpening, withPageInView } from "./documentsStore.ts";

export type DocumentActions = {
  /** Reads a file. @returns its summary, or null where it waits for a password or failed; both are in the store. */
  readonly read: (path: string, documentId?: string | null) => Promise<DocumentSummary | null>;
  /** Tries a password on a file that waits for one. */
  readonly unlock: (key: string, password: string) => Promise<DocumentSummary | null>;
  /** Lets the person show where a moved file is now. */
  readonly findAgain: (key: string) => Promise<DocumentSummary | null>;
  readonly dismiss: (key: string) => void;
  /** Reads the documents of a conversation that are not open yet. */
  readonly restore: (conversation: Conversation) => Promise<void>;
  /** Asks again for every open document: a new model counts other tokens, a new engine knows none. */
  readonly refresh: () => Promise<void>;
  readonly listLibrary: () => Promise<void>;
  readonly forget: (documentId: string) => Promise<void>;
  readonly show: (documentId: string | null) => void;
  readonly pageSeen: (documentId: string, page: number) => void;
};

export function createDocumentActions({ engine, shell, stores }: ActionContext): DocumentActions {
  const store = stores.documents;
  // Kept in memory only, so that a restarted engine need not ask again.
  const passwords = new Map<string, string>();
  const reading = new Map<string, Promise<DocumentSummary | null>>();
  let lastKey = 0;

  async function tryToRead(key: string, path: string, documentId: string | null, password?: string): Promise<DocumentSummary | null> {
    try {
      const summary = await engine("openDocument", password === undefined ? { path } : { path, password }, {
        onEvent: (event) => {
          if (event.event === "progress") store.setState((state) => withOpeningChanged(state, key, { progress: event }));
        },
      });
      if (password !== undefined) passwords.set(summary.id, password);
      store.setState((state) => withDocument(state, summary, key));
      await listLibrary();
      if (documentId !== null && summary.id !== documentId) {
        const problem: Problem = { code: "document-missing", message: translate("documents.changed", { name: summary.name }) };
        store.setState((state) => withOpeningChanged(withOpening(state, key, path, documentId), key, { status: "failed", problem }));
        return null;
      }
      // It was read before the model came: its tokens can be counted now.
      if (summary.tokens === null && stores.model.getState().current !== null) await refreshOne(summary);
      return summary;
    } catch (error) {
      const problem = toProblem(error);
      if (problem.code === "cancelled" || problem.code === "engine-died") {
        store.setState((state) => withoutOpening(state, key));
      } else if (problem.code === "document-password-needed") {
        store.setState((state) => withOpeningChanged(state, key, { status: "locked", progress: null, problem: null }));
      } else if (problem.code === "document-password-wrong") {
        store.setState((state) => withOpeningChanged(state, key, { status: "locked", progress: null, problem }));
      } else {
        store.setState((state) => withOpeningChanged(state, key, { status: "failed", progress: null, problem }));
      }
      return null;
    }
  }

  /** The same file is not read twice at a time: a double click or a restore beside an open shares the first try. */
  function read(path: string, documentId: string | null = null): Promise<DocumentSummary | null> {
    const running = reading.get(path);
    if (running !== undefined) return running;
    lastKey += 1;
    const key = `opening-${lastKey}`;
    store.setState((state) => withOpening(state, key, path, documentId));
    const password = documentId === null ? undefined : passwords.get(documentId);
    const started = tryToRead(key, path, documentId, password).finally(() => reading.delete(path));
    reading.set(path, started);
    return started;
  }

  async function listLibrary(): Promise<void> {
    try {
      const library = await engine("listLibrary", {});
      store.setState({ library });
    } catch (error) {
      reportProblem(stores, error);
    }
  }

  async function refreshOne(summary: DocumentSummary): Promise<void> {
    try {
      const password = passwords.get(summary.id);
      const request = password === undefined ? { path: summary.path } : { path: summary.path, password };
      const fresh = await engine("openDocument", request);
      // A file that was rewritten meanwhile is another document; the one that is open stays as it was read.
      if (fresh.id === summary.id) store.setState((state) => withDocument(state, fresh, null));
    } catch (error) {
      const problem = toProblem(error);
      if (problem.code === "engine-died" || problem.code === "cancelled") return;
      lastKey += 1;
      const key = `opening-${lastKey}`;
      const status = problem.code.startsWith("document-password") ? "locked" : "failed";
      const shown = status === "locked" ? null : problem;
      store.setState((state) => {
        const { [summary.id]: _closed, ...open } = state.open;
        const waiting = withOpening({ ...state, open }, key, summary.path, summary.id);
        return withOpeningChanged(waiting, key, { status, problem: shown });
      });
    }
  }

  function openingOf(key: string) {
    return store.getState().openings.find((opening) => opening.key === key);
  }

  return {
    read,
    async unlock(key, password) {
      const opening = openingOf(key);
      if (opening === undefined) return null;
      store.setState((state) => withOpeningChanged(state, key, { status: "reading", problem: null }));
      return tryToRead(key, opening.path, opening.documentId, password);
    },
    async findAgain(key) {
      const opening = openingOf(key);
      if (opening === undefined) return null;
      try {
        const [path] = await shell("chooseFiles", { purpose: "documents" });
        if (path === undefined) return null;
        store.setState((state) => withOpeningChanged(state, key, { path, status: "reading", progress: null, problem: null }));
        return await tryToRead(key, path, opening.documentId);
      } catch (error) {
        reportProblem(stores, error);
        return null;
      }
    },
    dismiss(key) {
      store.setState((state) => withoutOpening(state, key));
    },
    async restore(conversation) {
      const ids = conversation.documents.map((choice) => choice.documentId);
      store.setState((state) => withOpeningsFor(state, ids));
      const { open, library, openings } = store.getState();
      for (const id of ids) {
        if (open[id] !== undefined || openings.some((opening) => opening.documentId === id && opening.status !== "failed")) continue;
        const entry = library.find((candidate) => candidate.id === id);
        if (entry === undefined) {
          lastKey += 1;
          const key = `opening-${lastKey}`;
          const name = translate("documents.unknownName");
          const problem: Problem = { code: "document-unknown", message: translate("documents.forgotten") };
          store.setState((state) => withOpeningChanged(withOpening(state, key, name, id), key, { status: "failed", problem }));
        } else {
          await read(entry.path, id);
        }
      }
    },
    async refresh() {
      for (const summary of Object.values(store.getState().open)) await refreshOne(summary);
    },
    listLibrary,
    async forget(documentId) {
      try {
        await engine("forgetDocument", { documentId });
        await listLibrary();
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    show(documentId) {
      store.setState({ shownId: documentId });
    },
    pageSeen(documentId, page) {
      store.setState((state) => withPageInView(state, documentId, page));
    },
  };
}

/** For a dropped file that comes without a path (out of a web page or an archive). */
export function pathlessProblem(name: string): Problem {
  return toProblem(new LongsightError("document-missing", translate("documents.noPath", { name })));
}
