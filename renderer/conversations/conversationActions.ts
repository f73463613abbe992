import type { Conversation } from "../../electron/contract/conversation.ts";
import type { DocumentChoice, DocumentSummary } from "../../electron/contract/document.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";
import type { DocumentActions } from "../documents/documentActions.ts";
import { withConversation, withoutConversation } from "./conversationsStore.ts";

export type ConversationActions = {
  readonly refreshList: () => Promise<void>;
  /** Shows a conversation and reads its documents. */
  readonly open: (conversationId: string) => Promise<void>;
  /** Reads the current conversation again, as a restarted engine has it. */
  readonly reload: () => Promise<void>;
  /** A new conversation about the same documents; one that is still empty is kept. */
  readonly createNew: () => Promise<void>;
  /** The current conversation, or a new one. */
  readonly ensureCurrent: () => Promise<Conversation>;
  readonly rename: (conversationId: string, title: string) => Promise<void>;
  readonly remove: (conversationId: string) => Promise<void>;
  readonly setDocuments: (documents: readonly DocumentChoice[]) => Promise<void>;
  /** Opens files: into the current conversation while nothing was asked in it, else into a new one. All of one call stay together. */
  readonly openFiles: (paths: readonly string[]) => Promise<void>;
  readonly chooseFiles: () => Promise<void>;
  /** A document that became readable later (password, found again) joins like a newly opened one. */
  readonly joinLate: (summary: DocumentSummary | null) => Promise<void>;
  readonly addToCurrent: (documentId: string) => Promise<void>;
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
    store.setState((state) => withConversation({ ...state, current: conversation }, conversation));
    stores.prompt.setState({ editing: null });
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

  async function open(conversationId: string): Promise<void> {
    lastOpened += 1;
    const ticket = lastOpened;
    try {
      const conversation = await engine("getConversation", { conversationId });
      if (ticket !== lastOpened) return;
      enter(conversation);
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

  /** One after the other: each needs the list of documents that the one before it left. */
  function attach(summary: DocumentSummary, target: string | null): Promise<string> {
    const step = async (): Promise<string> => {
      const choice: DocumentChoice = { documentId: summary.id, pages: null };
      const { current } = store.getState();
      if (target === null && current !== null && current.documents.some((other) => other.documentId === summary.id)) {
        documents.show(summary.id);
        return current.id;
      }
      if (target === null && (current === null || !isUntouched(current))) {
        const created = await create([choice]);
        documents.show(summary.id);
        return created.id;
      }
      const conversation =
        target === null || target === current?.id ? current : await engine("getConversation", { conversationId: target });
      if (conversation === null) return (await create([choice])).id;
      if (!conversation.documents.some((other) => other.documentId === summary.id)) {
        await saveDocuments(conversation.id, [...conversation.documents, choice]);
      }
      if (store.getState().current?.id === conversation.id) documents.show(summary.id);
      return conversation.id;
    };
    const result = attaching.then(step, step);
    attaching = result.catch(() => undefined);
    return result;
  }

  async function openFiles(paths: readonly string[]): Promise<void> {
    let target: string | null = null;
    for (const path of paths) {
      const summary = await documents.read(path);
      if (summary === null) continue;
      try {
        target = await attach(summary, target);
      } catch (error) {
        reportProblem(stores, error);
      }
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
      try {
        if (current === null || !isUntouched(current)) await create(current?.documents ?? []);
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
        const wasCurrent = store.getState().current?.id === conversationId;
        store.setState((state) => withoutConversation(state, conversationId));
        if (!wasCurrent) return;
        const next = store.getState().list[0];
        if (next !== undefined) return await open(next.id);
        documents.show(null);
        remember(null);
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async setDocuments(choices) {
      const { current } = store.getState();
      try {
        if (current === null) return void (await create(choices));
        await saveDocuments(current.id, choices);
        const updated = store.getState().current;
        if (updated !== null) showFirstDocument(updated);
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async chooseFiles() {
      try {
        await openFiles(await shell("chooseFiles", { purpose: "documents" }));
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async joinLate(summary) {
      if (summary === null) return;
      try {
        await attach(summary, null);
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async addToCurrent(documentId) {
      const { open: opened, library } = stores.documents.getState();
      const path = library.find((entry) => entry.id === documentId)?.path;
      const summary = opened[documentId] ?? (path === undefined ? null : await documents.read(path));
      if (summary === null) return;
      try {
        await attach(summary, store.getState().current?.id ?? null);
      } catch (error) {
        reportProblem(stores, error);
      }
    },
  };
}
