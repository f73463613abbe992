import type { Problem } from "../../electron/contract/errors.ts";
import { type EngineState, type Settings, settingsSchema, textSizeSchema } from "../../electron/contract/shell.ts";
import { type AnswerActions, createAnswerActions } from "../answer/answerActions.ts";
import { type BudgetChoice, changedSince } from "../budget/budget.ts";
import { choiceOf } from "../budget/choice.ts";
import { circumstancesOf } from "../budget/circumstances.ts";
import { type CompareActions, createCompareActions } from "../compare/compareActions.ts";
import { type ConversationActions, createConversationActions } from "../conversations/conversationActions.ts";
import { createSearchActions, type SearchActions } from "../conversations/searchActions.ts";
import { createDocumentActions, type DocumentActions } from "../documents/documentActions.ts";
import { pendingOpening } from "../documents/documentsStore.ts";
import { createRecognitionActions, type RecognitionActions } from "../documents/recognitionActions.ts";
import type { EngineCaller } from "../engine/call.ts";
import { createHeatActions, type HeatActions } from "../heat/heatActions.ts";
import { createDownloadActions, type DownloadActions } from "../model/downloadActions.ts";
import { createModelActions, type ModelActions } from "../model/modelActions.ts";
import { createShelfActions, type ShelfActions } from "../model/shelfActions.ts";
import { createFindActions, type FindActions } from "../pages/findActions.ts";
import { createPinActions, type PinActions } from "../pins/pinActions.ts";
import { createDraftKeeper } from "../prompt/draftKeeper.ts";
import { createPromptActions, type PromptActions } from "../prompt/promptActions.ts";
import type { CallShell } from "../shell/bridge.ts";
import { watchLongReads } from "../shell/longReads.ts";
import { type DialogName, withoutProblem, withProblem } from "../shell/shellStore.ts";
import { createSnapshotActions, type SnapshotActions } from "../snapshots/snapshotActions.ts";
import { type ActionContext, createStores, reportProblem, type Stores } from "./context.ts";
import { createEngineLife } from "./engineLife.ts";

/** The window without its looks: state, and everything a person can do. */
export type Session = {
  readonly stores: Stores;
  readonly context: ActionContext;
  readonly documents: DocumentActions;
  readonly recognition: RecognitionActions;
  readonly conversations: ConversationActions;
  readonly answer: AnswerActions;
  readonly model: ModelActions;
  readonly shelf: ShelfActions;
  readonly downloads: DownloadActions;
  readonly prompt: PromptActions;
  readonly snapshots: SnapshotActions;
  readonly heat: HeatActions;
  readonly pins: PinActions;
  readonly search: SearchActions;
  readonly find: FindActions;
  readonly compare: CompareActions;
  /** Fetches what main remembers: before the first paint, so that nothing jumps. */
  readonly readSettings: () => Promise<void>;
  /** The engine's state and what was open last, by the settings. Call once. */
  readonly start: () => Promise<void>;
  readonly engineChanged: (engine: EngineState) => void;
  readonly restartEngine: () => Promise<void>;
  /** Opens documents; GGUF files among them go on the list of models, which is shown. */
  readonly openFiles: (paths: readonly string[]) => Promise<void>;
  readonly openWaitingFiles: () => Promise<void>;
  readonly changeSettings: (change: Partial<Settings>) => Promise<void>;
  /** Changes how the answers of the current conversation are made. New conversations begin with it too. */
  readonly changeChoice: (change: BudgetChoice) => Promise<void>;
  readonly openLink: (address: string) => Promise<void>;
  /** One size larger or smaller, as far as there is one. */
  readonly stepTextSize: (by: 1 | -1) => void;
  /** Where everything is kept; empty where main does not say. */
  readonly dataFolder: () => Promise<string>;
  readonly openDataFolder: () => Promise<void>;
  /** Shows a hint of the tour, from 0; null ends it, for good. */
  readonly showTour: (step: number | null) => void;
  /** Asks a question that is not typed; it stays in the field where something stands in its way. */
  readonly askNow: (question: string) => Promise<void>;
  /** Opens the sample document and asks about it. */
  readonly askSample: (question: string) => Promise<void>;
  readonly showDialog: (dialog: DialogName | null) => void;
  readonly showProblem: (problem: Problem) => void;
  readonly closeProblem: (id: number) => void;
  /** Shows a page, and on it a run of its text. */
  readonly goTo: (place: {
    readonly documentId: string;
    readonly page: number;
    readonly range?: { readonly start: number; readonly end: number };
  }) => void;
  /** Sends what is typed or edited, if nothing stands in its way. */
  readonly send: () => Promise<void>;
  /**
   * Asks a question again (null: the last one), as another version: for another answer where there is a complete one made with the same budget
   * and model. `choice` is for this answer alone.
   */
  readonly regenerate: (turnId?: string | null, choice?: BudgetChoice) => Promise<void>;
  /** Stops the answer of the current conversation. */
  readonly stop: () => void;
  /** The window may be closed: what is typed is written down. */
  readonly flushDrafts: () => void;
  readonly dispose: () => void;
};

/** Temperature of another answer where the settings always take the likeliest word. */
const secondTemperature = 0.7;

export function createSession(caller: EngineCaller, shell: CallShell): Session {
  const stores = createStores();
  const context: ActionContext = { engine: caller.call, shell, stores };
  const documents = createDocumentActions(context, (summary, conversationId) => conversations.join(summary, conversationId));
  const recognition = createRecognitionActions(context, documents);
  const prompt = createPromptActions(context);
  const snapshots = createSnapshotActions(context);
  const heat = createHeatActions(context);
  const pins = createPinActions(context);
  const answer = createAnswerActions(context, () => void conversations.refreshList());
  const conversations = createConversationActions(context, documents, answer.stop);
  const search = createSearchActions(context, conversations);
  const find = createFindActions(context);
  const compare = createCompareActions(context);
  const model = createModelActions(context, async () => {
    await documents.refresh();
    await prompt.measure();
  });

  const shelf = createShelfActions(context);
  const downloads = createDownloadActions(context, shelf.refresh);

  const drafts = createDraftKeeper(context, conversations.ensureCurrent);

  const endWatch = watchLongReads({ stores, shell });

  // Anything that a prompt is made of changes its measure.
  const unsubscribe = [
    stores.conversations.subscribe((state, before) => {
      if (state.current !== before.current) {
        prompt.measureSoon();
        heat.refresh();
      }
      if (state.current?.pins !== before.current?.pins || state.current?.documents !== before.current?.documents) void pins.refresh();
      // An end is said once, not again at each return to its conversation.
      if (state.current?.id !== before.current?.id) stores.answer.setState({ ended: null });
    }),
    stores.documents.subscribe((state, before) => {
      const id = stores.conversations.getState().current?.id ?? null;
      // What was stored of a document goes with it.
      if (state.library.length < before.library.length) void snapshots.refresh();
      const arrived = pendingOpening(state.openings, id) !== pendingOpening(before.openings, id);
      if (state.open !== before.open || arrived) prompt.measureSoon();
      if (state.open !== before.open) {
        heat.refresh();
        void pins.refresh();
      }
      if (state.shownId !== before.shownId) find.documentChanged();
    }),
    stores.answer.subscribe((state, before) => {
      if (state.ended !== null && state.ended !== before.ended) snapshots.refreshAfterAnswer();
    }),
    stores.model.subscribe((state, before) => {
      if (state.current === before.current) return;
      // What another model or context made of the prompt says nothing any longer.
      stores.prompt.setState({ measured: null });
      prompt.measureSoon();
      heat.refresh();
    }),
    stores.prompt.subscribe((state, before) => {
      if (state.drafts !== before.drafts || state.editing !== before.editing) prompt.measureSoon();
    }),
    stores.shell.subscribe((state, before) => {
      if (state.settings !== before.settings) heat.refresh();
      if (state.settings.sampling.maxTokens !== before.settings.sampling.maxTokens) prompt.measureSoon();
      // What was measured behind a dialog may have something to ask.
      if (state.dialog === null && before.dialog !== null) prompt.offerFit();
    }),
  ];

  async function openFiles(paths: readonly string[]): Promise<void> {
    const models = paths.filter((path) => /\.gguf$/i.test(path));
    const others = paths.filter((path) => !models.includes(path));
    if (models.length > 0) {
      stores.shell.setState({ dialog: "model" });
      await shelf.add(models);
    }
    if (others.length > 0) await conversations.openFiles(others);
  }

  async function openWaitingFiles(): Promise<void> {
    try {
      const paths = await shell("takeFilesToOpen", {});
      if (paths.length > 0) await openFiles(paths);
    } catch (error) {
      reportProblem(stores, error);
    }
  }

  /** A new engine process: it has no model and no document in memory. */
  async function engineReady(): Promise<void> {
    const loading = model.loadAtStart();
    await documents.listLibrary();
    await conversations.refreshList();
    void snapshots.refresh();
    const { current, list } = stores.conversations.getState();
    const { lastConversation } = stores.shell.getState().settings;
    if (current !== null) {
      await documents.refresh();
      await conversations.reload();
      const reloaded = stores.conversations.getState().current;
      if (reloaded !== null) await documents.restore(reloaded);
    } else if (lastConversation !== null && list.some((conversation) => conversation.id === lastConversation)) {
      await conversations.open(lastConversation);
    }
    await openWaitingFiles();
    await loading;
  }

  // The engine's first news may overtake the settings, which say what to load; `start` asks for the state once they are there.
  let settingsKnown = false;
  const engineLife = createEngineLife(caller, stores, () => {
    engineReady().catch((error: unknown) => reportProblem(stores, error));
  });
  function engineChanged(engine: EngineState): void {
    if (settingsKnown) engineLife.changed(engine);
  }

  async function readSettings(): Promise<void> {
    if (settingsKnown) return;
    try {
      stores.shell.setState({ settings: await shell("getSettings", {}) });
    } catch (error) {
      stores.shell.setState({ settings: settingsSchema.parse({}) });
      reportProblem(stores, error);
    }
    settingsKnown = true;
  }

  async function changeSettings(change: Partial<Settings>): Promise<void> {
    stores.shell.setState((state) => ({ settings: { ...state.settings, ...change } }));
    try {
      const settings = await shell("changeSettings", change);
      stores.shell.setState({ settings });
    } catch (error) {
      reportProblem(stores, error);
    }
  }

  async function send(): Promise<void> {
    try {
      // What changes meanwhile has it counted anew.
      for (let tries = 0; tries < 3 && prompt.obstacle() === "measuring"; tries += 1) await prompt.measure();
      const obstacle = prompt.obstacle();
      if (obstacle === "does-not-fit") return stores.shell.setState({ dialog: "fit" });
      if (obstacle !== null) return;
      const question = prompt.question().trim();
      const replaceTurnId = stores.prompt.getState().editing?.turnId ?? null;
      const conversation = await conversations.ensureCurrent();
      if (stores.answer.getState().live[conversation.id]?.status === "running") return;
      stores.prompt.setState((state) =>
        replaceTurnId === null ? { drafts: { ...state.drafts, [conversation.id]: "", "": "" } } : { editing: null },
      );
      await answer.ask(conversation.id, question, replaceTurnId);
    } catch (error) {
      reportProblem(stores, error);
    }
  }

  async function askNow(question: string): Promise<void> {
    prompt.type(question);
    await send();
  }

  async function changeChoice(change: BudgetChoice): Promise<void> {
    const { current } = stores.conversations.getState();
    const choice = { ...choiceOf(stores), ...change };
    const asDefault = changeSettings(change);
    if (current !== null) {
      stores.conversations.setState({ current: { ...current, choice } });
      try {
        await caller.call("setChoice", { conversationId: current.id, choice });
      } catch (error) {
        reportProblem(stores, error);
      }
    }
    await asDefault;
  }

  return {
    stores,
    context,
    documents,
    recognition,
    conversations,
    answer,
    model,
    shelf,
    downloads,
    prompt,
    snapshots,
    heat,
    pins,
    goTo({ documentId, page, range }) {
      documents.show(documentId);
      const flash = range === undefined ? null : { documentId, page, ...range };
      stores.view.setState({ goTo: { documentId, page }, flash });
    },
    search,
    find,
    compare,
    engineChanged,
    openFiles,
    openWaitingFiles,
    changeSettings,
    readSettings,
    changeChoice,
    async start() {
      await readSettings();
      if (!stores.shell.getState().settings.tourSeen) stores.shell.setState({ tour: 0 });
      void shell("sampleDocument", {}).then(
        (samplePath) => stores.shell.setState({ samplePath }),
        (error: unknown) => reportProblem(stores, error),
      );
      try {
        engineChanged(await shell("getEngineState", {}));
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async restartEngine() {
      try {
        engineChanged(await shell("restartEngine", {}));
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    async openLink(address) {
      try {
        await shell("openLink", { address });
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    showDialog(dialog) {
      stores.shell.setState({ dialog });
    },
    showProblem(problem) {
      stores.shell.setState((state) => withProblem(state, problem));
    },
    closeProblem(id) {
      stores.shell.setState((state) => withoutProblem(state, id));
    },
    stepTextSize(by) {
      const sizes = textSizeSchema.options;
      const wanted = sizes[sizes.indexOf(stores.shell.getState().settings.textSize) + by];
      if (wanted !== undefined) void changeSettings({ textSize: wanted });
    },
    async dataFolder() {
      try {
        return await shell("dataFolder", {});
      } catch (error) {
        reportProblem(stores, error);
        return "";
      }
    },
    async openDataFolder() {
      try {
        await shell("openDataFolder", {});
      } catch (error) {
        reportProblem(stores, error);
      }
    },
    showTour(step) {
      stores.shell.setState({ tour: step });
      if (step === null && !stores.shell.getState().settings.tourSeen) void changeSettings({ tourSeen: true });
    },
    send,
    askNow,
    async askSample(question) {
      await conversations.openSample();
      const { samplePath } = stores.shell.getState();
      const { open, shownId } = stores.documents.getState();
      // Where it could not be opened, that is what is said, and nothing is asked.
      if (shownId !== null && open[shownId]?.path === samplePath) await askNow(question);
    },
    async regenerate(turnId = null, choice = {}) {
      const { current } = stores.conversations.getState();
      const turn = turnId === null ? current?.turns.at(-1) : current?.turns.find(({ id }) => id === turnId);
      if (current === null || turn === undefined) return;
      const { sampling } = stores.shell.getState().settings;
      // A complete answer is there: the same one again would be of no use. With another budget or model it is another one, and what
      // became different is to come of that alone.
      const same =
        turn.status === "done" && changedSince(turn.figures, { ...choiceOf(stores), ...choice }, circumstancesOf(stores)) === null;
      const again = same ? { temperature: sampling.temperature || secondTemperature, seed: null } : {};
      await answer.ask(current.id, turn.question, turn.id, { sampling: again, choice });
    },
    stop() {
      const { current } = stores.conversations.getState();
      if (current !== null) answer.stop(current.id);
    },
    flushDrafts: drafts.flush,
    dispose() {
      for (const end of unsubscribe) end();
      endWatch();
      snapshots.dispose();
      drafts.dispose();
    },
  };
}
