import type { Conversation } from "../../electron/contract/conversation.ts";
import type { DocumentSummary } from "../../electron/contract/document.ts";
import type { ProgressEvent } from "../../electron/contract/engine.ts";
import { LongsightError, type Problem, toProblem } from "../../electron/contract/errors.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";
import { translate } from "../text/i18n.ts";
import { type Opening, withDocument, withOpening, withOpeningChanged, withoutOpening, withPageInView } from "./documentsStore.ts";

/** Where a file goes once it is read. */
export type Destination = {
  readonly conversationId: string;
  /** The document that the conversation expects; null for one that is to join it. */
  readonly documentId?: string | null;
  /** Reading starts when this is over; the file is shown as on its way from the beginning. */
  readonly after?: Promise<unknown>;
};

export type DocumentActions = {
  /** Reads a file for a conversation. @returns its summary, or null where it waits for a password or failed; both are in the store. */
  readonly read: (path: string, destination: Destination) => Promise<DocumentSummary | null>;
  /** Tries a password on a file that waits for one. */
  readonly unlock: (key: string, password: string) => Promise<DocumentSummary | null>;
  /** Lets the person show where a moved file is now. */
  readonly findAgain: (key: string) => Promise<DocumentSummary | null>;
  readonly dismiss: (key: string) => void;
  /** Ends the reading of a file. One that its conversation expects is kept in mind, and can be read again. */
  readonly stop: (key: string) => void;
  readonly readAgain: (key: string) => Promise<DocumentSummary | null>;
  /** Reads the documents of a conversation that are not open yet. */
  readonly restore: (conversation: Conversation) => Promise<void>;
  /** Asks again for every open document: a new model counts other tokens, a new engine knows none. A later call takes over. */
  readonly refresh: () => Promise<void>;
  readonly listLibrary: () => Promise<void>;
  readonly forget: (documentId: string) => Promise<void>;
  readonly show: (documentId: string | null) => void;
  readonly pageSeen: (documentId: string, page: number) => void;
};

/** @param join takes a document that was read into the conversation that it was read for; does not reject */
export function createDocumentActions(
  { engine, shell, stores }: ActionContext,
  join: (summary: DocumentSummary, conversationId: string) => Promise<void>,
): DocumentActions {
  const store = stores.documents;
  // Kept in memory only, so that a restarted engine need not ask again.
  const passwords = new Map<string, string>();
  const reading = new Map<string, Promise<DocumentSummary | null>>();
  const stops = new Map<string, AbortController>();
  let lastKey = 0;
  let lastRefresh = 0;

  /** The opening stays until the document is part of its conversation, so that nothing is asked without it meanwhile. */
  async function tryToRead(key: string, password?: string): Promise<DocumentSummary | null> {
    const opening = openingOf(key);
    // Stopped while it waited for its turn.
    if (opening?.status !== "reading") return null;
    const { path, documentId, conversationId } = opening;
    const controller = new AbortController();
    stops.set(key, controller);
    try {
      const summary = await engine("openDocument", password === undefined ? { path } : { path, password }, {
        signal: controller.signal,
        onEvent: (event) => {
          if (event.event === "progress") store.setState((state) => withOpeningChanged(state, key, { progress: event }));
          else if (event.event === "outline") store.setState((state) => withOpeningChanged(state, key, { outline: event.outline }));
        },
      });
      if (password !== undefined) passwords.set(summary.id, password);
      store.setState((state) => withDocument(state, summary));
      await listLibrary();
      if (documentId !== null && summary.id !== documentId) {
        const problem: Problem = { code: "document-missing", message: translate("documents.changed", { name: summary.name }) };
        store.setState((state) => withOpeningChanged(state, key, { status: "failed", progress: null, problem }));
        return null;
      }
      // It was read before the model came: its tokens can be counted now.
      if (summary.tokens === null && stores.model.getState().current !== null) await refreshOne(summary);
      if (documentId === null && openingOf(key) !== undefined) await join(summary, conversationId);
      store.setState((state) => withoutOpening(state, key));
      return summary;
    } catch (error) {
      const problem = toProblem(error);
      if (controller.signal.aborted) {
        wasStopped(opening);
      } else if (problem.code === "cancelled" || problem.code === "engine-died") {
        store.setState((state) => withoutOpening(state, key));
      } else if (problem.code === "document-password-needed") {
        store.setState((state) => withOpeningChanged(state, key, { status: "locked", progress: null, problem: null }));
      } else if (problem.code === "document-password-wrong") {
        store.setState((state) => withOpeningChanged(state, key, { status: "locked", progress: null, problem }));
      } else {
        store.setState((state) => withOpeningChanged(state, key, { status: "failed", progress: null, problem }));
      }
      return null;
    } finally {
      stops.delete(key);
    }
  }

  /** What its conversation expects stays in mind; what was to join it goes. */
  function wasStopped({ key, name, documentId }: Opening): void {
    const problem: Problem = { code: "cancelled", message: translate("documents.stopped", { name }) };
    store.setState((state) =>
      documentId === null ? withoutOpening(state, key) : withOpeningChanged(state, key, { status: "failed", progress: null, problem }),
    );
  }

  /** The same file is not read twice at a time: a double click or a restore beside an open shares the first try. */
  function read(
    path: string,
    { conversationId, documentId = null, after = Promise.resolve() }: Destination,
  ): Promise<DocumentSummary | null> {
    const place = `${conversationId} ${path}`;
    const running = reading.get(place);
    if (running !== undefined) return running;
    const key = nextKey();
    store.setState((state) => withOpening(state, key, path, documentId, conversationId));
    const password = documentId === null ? undefined : passwords.get(documentId);
    const started = after.then(() => tryToRead(key, password)).finally(() => reading.delete(place));
    reading.set(place, started);
    return started;
  }

  function nextKey(): string {
    lastKey += 1;
    return `opening-${lastKey}`;
  }

  async function listLibrary(): Promise<void> {
    try {
      const library = await engine("listLibrary", {});
      store.setState({ library });
    } catch (error) {
      reportProblem(stores, error);
    }
  }

  async function refreshOne(summary: DocumentSummary, onProgress: (progress: ProgressEvent) => void = () => undefined): Promise<void> {
    try {
      const password = passwords.get(summary.id);
      const request = password === undefined ? { path: summary.path } : { path: summary.path, password };
      const fresh = await engine("openDocument", request, {
        onEvent: (event) => {
          if (event.event === "progress") onProgress(event);
        },
      });
      // A file that was rewritten meanwhile is another document; the one that is open stays as it was read.
      if (fresh.id === summary.id) store.setState((state) => withDocument(state, fresh));
    } catch (error) {
      const problem = toProblem(error);
      if (problem.code === "engine-died" || problem.code === "cancelled") return;
      const { current } = stores.conversations.getState();
      const included = current?.documents.some((choice) => choice.documentId === summary.id) ?? false;
      const status = problem.code.startsWith("document-password") ? "locked" : "failed";
      const shown = status === "locked" ? null : problem;
      store.setState((state) => {
        const { [summary.id]: _closed, ...open } = state.open;
        // Other conversations find out when they are opened.
        if (current === null || !included) return { ...state, open };
        const key = nextKey();
        const waiting = withOpening({ ...state, open }, key, summary.path, summary.id, current.id);
        return withOpeningChanged(waiting, key, { status, problem: shown });
      });
    }
  }

  function openingOf(key: string): Opening | undefined {
    return store.getState().openings.find((opening) => opening.key === key);
  }

  /** Another try at a file, by a person's help, with nothing left of the one before: an engine that begins anew gives no bytes for its pages. */
  async function readAnew(key: string, password?: string): Promise<DocumentSummary | null> {
    const opening = openingOf(key);
    if (opening === undefined) return null;
    store.setState((state) => withOpeningChanged(state, key, { status: "reading", progress: null, outline: null, problem: null }));
    const summary = await tryToRead(key, password);
    // What they have just helped to open is what they want to see.
    if (summary !== null && stores.conversations.getState().current?.id === opening.conversationId) store.setState({ shownId: summary.id });
    return summary;
  }

  return {
    read,
    unlock: readAnew,
    async findAgain(key) {
      const opening = openingOf(key);
      if (opening === undefined) return null;
      try {
        const [path] = await shell("chooseFiles", { purpose: "documents" });
        if (path === undefined) return null;
        store.setState((state) => withOpeningChanged(state, key, { path }));
        return await readAnew(key);
      } catch (error) {
        reportProblem(stores, error);
        return null;
      }
    },
    dismiss(key) {
      store.setState((state) => withoutOpening(state, key));
    },
    stop(key) {
      const running = stops.get(key);
      const opening = openingOf(key);
      if (running !== undefined) running.abort();
      else if (opening?.status === "reading") wasStopped(opening);
    },
    async readAgain(key) {
      const documentId = openingOf(key)?.documentId ?? null;
      return readAnew(key, documentId === null ? undefined : passwords.get(documentId));
    },
    async restore(conversation) {
      const { open, library, openings } = store.getState();
      const expected = openings.filter((opening) => opening.conversationId === conversation.id && opening.status !== "failed");
      let after: Promise<unknown> = Promise.resolve();
      for (const { documentId } of conversation.documents) {
        if (open[documentId] !== undefined || expected.some((opening) => opening.documentId === documentId)) continue;
        const entry = library.find((candidate) => candidate.id === documentId);
        if (entry === undefined) {
          const key = nextKey();
          const name = translate("documents.unknownName");
          const problem: Problem = { code: "document-unknown", message: translate("documents.forgotten") };
          store.setState((state) =>
            withOpeningChanged(withOpening(state, key, name, documentId, conversation.id), key, { status: "failed", problem }),
          );
        } else {
          after = read(entry.path, { conversationId: conversation.id, documentId, after });
        }
      }
      await after;
    },
    async refresh() {
      lastRefresh += 1;
      const ticket = lastRefresh;
      for (const summary of Object.values(store.getState().open)) {
        if (ticket !== lastRefresh) return;
        store.setState({ recounting: { name: summary.name, progress: null } });
        await refreshOne(summary, (progress) => {
          if (ticket === lastRefresh) store.setState({ recounting: { name: summary.name, progress } });
        });
      }
      if (ticket === lastRefresh) store.setState({ recounting: null });
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
