import type { Conversation } from "../../electron/contract/conversation.ts";
import type { DocumentChoice, DocumentSummary } from "../../electron/contract/document.ts";
import { LongsightError, toProblem } from "../../electron/contract/errors.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";
import type { DocumentActions } from "../documents/documentActions.ts";
import { pendingOpening, withFailuresMoved, withoutOpeningsOf } from "../documents/documentsStore.ts";
import { withConversationEntered } from "../prompt/promptStore.ts";
import { translate } from "../text/i18n.ts";
import { withConversation, withoutConversation } from "./conversationsStore.ts";

export type ConversationActions = {
  readonly refreshList: () => Promise<void>;
  /** Shows a conversation and reads its documents. One that is left without a trace of work in it is deleted. `entered`: what comes before the documents. */
  readonly open: (conversationId: string, entered?: () => Promise<void>) => Promise<void>;
  /** Reads the current conversation again, as a restarted engine has it. */
  readonly reload: () => Promise<void>;
  /** A new conversation about the document in view; one in which nothing was asked yet is kept. */
  readonly createNew: () => Promise<void>;
  /** The current conversation, or a new one. */
  readonly ensureCurrent: () => Promise<Conversation>;
  readonly rename: (conversationId: string, title: string) => Promise<void>;
  /** Deletes a conversation; what is being answered in it is stopped. `undoRemove` brings it back. */
  readonly remove: (conversationId: string) => Promise<void>;
  /** Brings back what was deleted last in this run, as it was; nothing where nothing was. */
  readonly undoRemove: () => Promise<void>;
  /** Brings another version of a question into view; not while one is answered here, which would be hard to follow. */
  readonly showTurn: (turnId: string) => Promise<void>;
  readonly setDocuments: (documents: readonly DocumentChoice[]) => Promise<void>;
  /** Opens files: into the current conversation while nothing was asked in it, else into a new one. All of one call stay together. */
  readonly openFiles: (paths: readonly string[]) => Promise<void>;
  readonly chooseFiles: () => Promise<void>;
  /** Opens the document that comes with Longsight. */
  readonly openSample: () => Promise<void>;
  /** Shows a document of the current conversation; another one is opened like a file. */
  readonly openFromLibrary: (documentId: string) => Promise<void>;
  /** Takes a document that was read into its conversation, which need not be the current one. Does not reject. */
  readonly join: (summary: DocumentSummary, conversationId: string) => Promise<void>;
  readonly addToCurrent: (documentId: string) => Promise<void>;
  /** Takes a document out of the library and out of the current conversation. */
  readonly forgetDocument: (documentId: string) => Promise<void>;
};

export function createConversationActions(
  { engine, shell, stores }: ActionContext,
  documents: DocumentActions,
  stopAnswer: (conversationId: string) => void,
): ConversationActions {
  const store = stores.conversations;
  let lastOpened = 0;
  let attaching: Promise<unknown> = Promise.resolve();

  function remember(conversationId: string | null): void {
    stores.shell.setState((state) => ({ settings: { ...state.settings, lastConversation: conversationId } }));
    shell("changeSettings", { lastConversation: conversationId }).catch((error: unknown) => reportProblem(stores, error));
  }

  function showFirstDocument(conversation: Conversation): void {
    const { shownId } = stores.documents.getState();
    const ids = conversation.documents.map((choice) => choice.documentId);
    if (shownId === null || !ids.includes(shownId)) documents.show(ids[0] ?? null);
  }

  function enter(conversation: Conversation): void {
    lastOpened += 1;
    const { current: left } = store.getState();
    store.setState((state) => withConversation({ ...state, current: conversation }, conversation));
    if (left !== null && left.id !== conversation.id && isForgettable(left)) void forget(left.id);
    stores.prompt.setState((state) => withConversationEntered(state, conversation, left?.id ?? null));
    showFirstDocument(conversation);
    remember(conversation.id);
  }

  async function create(choices: readonly DocumentChoice[]): Promise<Conversation> {
    const conversation = await engine("createConversation", { documents: [...choices] });
    // What was typed before there was a conversation belongs to this one.
    stores.prompt.setState(({ drafts: { "": draft, ...drafts } }) => ({
      drafts: draft === undefined ? drafts : { ...drafts, [conversation.id]: draft },
    }));
    enter(conversation);
    return conversation;
  }

  async function refreshList(): Promise<void> {
    try {
      const list = await engine("listConversations", {});
      // The engine titles a conversation after its first question.
      store.setState(({ current }) => {
        const title = list.find((other) => other.id === current?.id)?.title;
        return { list, current: current === null || title === undefined || title === current.title ? current : { ...current, title } };
      });
    } catch (error) {
      reportProblem(stores, error);
    }
  }

  async function open(conversationId: string, entered: () => Promise<void> = async () => undefined): Promise<void> {
    lastOpened += 1;
    const ticket = lastOpened;
    try {
      const conversation = await engine("getConversation", { conversationId });
      if (ticket !== lastOpened) return;
      enter(conversation);
      await entered();
      await documents.restore(conversation);
    } catch (error) {
      reportProblem(stores, error);
    }
  }

  async function saveDocuments(conversationId: string, choices: readonly DocumentChoice[]): Promise<void> {
    const conversation = await engine("setConversationDocuments", { conversationId, documents: [...choices] });
    store.setState((state) => withConversation(state, conversation));
  }

  function isUntouched(conversation: Conversation): boolean {
    return conversation.turns.length === 0 && stores.answer.getState().live[conversation.id] === undefined;
  }

  /** Nothing in it would be missed: nothing asked, typed, named or chosen, and no file on its way. */
  function isForgettable(conversation: Conversation): boolean {
    const draft = stores.prompt.getState().drafts[conversation.id] ?? "";
    return (
      isUntouched(conversation) &&
      conversation.title === "" &&
      draft.trim() === "" &&
      conversation.documents.every((choice) => choice.pages === null) &&
      pendingOpening(stores.documents.getState().openings, conversation.id) === null
    );
  }

  async function forget(conversationId: string): Promise<void> {
    stores.documents.setState((state) => withoutOpeningsOf(state, conversationId));
    store.setState((state) => withoutConversation(state, conversationId));
    try {
      await engine("deleteConversation", { conversationId });
    } catch (error) {
      reportProblem(stores, error);
    }
  }

  /** One after the other: each needs the list of documents that the one before it left. */
  function join(summary: DocumentSummary, conversationId: string): Promise<void> {
    const step = async (): Promise<void> => {
      try {
        const { current } = store.getState();
        const conversation = current?.id === conversationId ? current : await engine("getConversation", { conversationId });
        if (!conversation.documents.some((other) => other.documentId === summary.id)) {
          await saveDocuments(conversationId, [...conversation.documents, { documentId: summary.id, pages: null }]);
        }
        if (store.getState().current?.id === conversationId) documents.show(summary.id);
      } catch (error) {
        // The conversation was deleted while the file was read: the document is in the library.
        if (toProblem(error).code !== "conversation-unknown") reportProblem(stores, error);
      }
    };
    const result = attaching.then(step);
    attaching = result;
    return result;
  }

  function includes(conversation: Conversation, path: string): boolean {
    const { open: opened } = stores.documents.getState();
    return conversation.documents.some((choice) => opened[choice.documentId]?.path === path);
  }

  async function openFiles(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    try {
      const { current: before } = store.getState();
      const here = before !== null && (isUntouched(before) || paths.every((path) => includes(before, path)));
      const target = here ? before : await create([]);
      let after: Promise<unknown> = Promise.resolve();
      for (const path of paths) after = documents.read(path, { conversationId: target.id, after });
      await after;
      if (before !== null && !here) await leaveEmpty(target.id, before.id);
    } catch (error) {
      reportProblem(stores, error);
    }
  }

  /** Goes back from a conversation that was begun for files of which none could be opened. */
  async function leaveEmpty(conversationId: string, backTo: string): Promise<void> {
    const { current } = store.getState();
    if (current?.id !== conversationId || current.documents.length > 0 || !isForgettable(current)) return;
    stores.documents.setState((state) => withFailuresMoved(state, conversationId, backTo));
    await open(backTo);
  }

  async function setDocuments(choices: readonly DocumentChoice[]): Promise<void> {
    const { current } = store.getState();
    try {
      if (current === null) return void (await create(choices));
      await saveDocuments(current.id, choices);
      const updated = store.getState().current;
      if (updated === null) return;
      showFirstDocument(updated);
      showChosenPages(current.documents, updated.documents);
    } catch (error) {
      reportProblem(stores, error);
    }
  }

  /** Pages that were just chosen come into view, from their first. */
  function showChosenPages(before: readonly DocumentChoice[], after: readonly DocumentChoice[]): void {
    for (const { documentId, pages } of after) {
      const old = before.find((choice) => choice.documentId === documentId)?.pages ?? null;
      const page = pages?.[0];
      if (page === undefined || JSON.stringify(old) === JSON.stringify(pages)) continue;
      documents.show(documentId);
      stores.view.setState({ goTo: { documentId, page } });
      return;
    }
  }

  return {
    refreshList,
    open,
    openFiles,
    async reload() {
      const { current } = store.getState();
      if (current === null) return;
      try {
        const conversation = await engine("getConversation", { conversationId: current.id });
        store.setState((state) => withConversation(state, conversation));
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async createNew() {
      const { current } = store.getState();
      stores.shell.setState({ side: "conversation" });
      try {
        if (current !== null && isUntouched(current)) return;
        const { shownId } = stores.documents.getState();
        await create((current?.documents ?? []).filter((choice) => choice.documentId === shownId));
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async ensureCurrent() {
      return store.getState().current ?? create([]);
    },
    async rename(conversationId, title) {
      const wanted = title.trim();
      if (wanted === "") return;
      try {
        const conversation = await engine("renameConversation", { conversationId, title: wanted });
        store.setState((state) => ({
          list: state.list.map((other) => (other.id === conversationId ? { ...other, title: conversation.title } : other)),
          current: state.current?.id === conversationId ? { ...state.current, title: conversation.title } : state.current,
        }));
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async remove(conversationId) {
      stopAnswer(conversationId);
      try {
        await engine("deleteConversation", { conversationId });
        const { current, list } = store.getState();
        const wasCurrent = current?.id === conversationId;
        const title = list.find((other) => other.id === conversationId)?.title ?? "";
        store.setState((state) => ({
          ...withoutConversation(state, conversationId),
          deleted: [...state.deleted, { id: conversationId, title, wasCurrent }],
        }));
        stores.documents.setState((state) => withoutOpeningsOf(state, conversationId));
        if (!wasCurrent) return;
        const next = store.getState().list[0];
        if (next !== undefined) return await open(next.id);
        documents.show(null);
        remember(null);
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async undoRemove() {
      const last = store.getState().deleted.at(-1);
      if (last === undefined) return;
      store.setState((state) => ({ deleted: state.deleted.filter((other) => other !== last) }));
      try {
        await engine("restoreConversation", { conversationId: last.id });
        await refreshList();
        if (last.wasCurrent) await open(last.id);
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async showTurn(turnId) {
      const { current } = store.getState();
      if (current === null || stores.answer.getState().live[current.id]?.status === "running") return;
      try {
        const conversation = await engine("showTurn", { conversationId: current.id, turnId });
        stores.prompt.setState({ editing: null });
        store.setState((state) => withConversation(state, conversation));
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    setDocuments,
    async chooseFiles() {
      try {
        await openFiles(await shell("chooseFiles", { purpose: "documents" }));
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async openSample() {
      try {
        const path = await shell("sampleDocument", {});
        if (path === null) throw new LongsightError("document-missing", translate("empty.sampleMissing"));
        await openFiles([path]);
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async openFromLibrary(documentId) {
      const { current } = store.getState();
      if (current?.documents.some((choice) => choice.documentId === documentId) === true) {
        documents.show(documentId);
        return await documents.restore(current);
      }
      const path = stores.documents.getState().library.find((entry) => entry.id === documentId)?.path;
      if (path !== undefined) await openFiles([path]);
    },
    join,
    async addToCurrent(documentId) {
      try {
        const { open: opened, library } = stores.documents.getState();
        const path = library.find((entry) => entry.id === documentId)?.path;
        const summary = opened[documentId];
        const { id: conversationId } = store.getState().current ?? (await create([]));
        if (summary !== undefined) await join(summary, conversationId);
        else if (path !== undefined) await documents.read(path, { conversationId });
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async forgetDocument(documentId) {
      const choices = store.getState().current?.documents ?? [];
      if (choices.some((choice) => choice.documentId === documentId)) {
        await setDocuments(choices.filter((choice) => choice.documentId !== documentId));
      }
      await documents.forget(documentId);
    },
  };
}
