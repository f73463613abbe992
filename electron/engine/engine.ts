import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { z } from "zod";
import { type EngineMethod, type EngineResultOf, type EngineStart, engineCallSchema, engineContract } from "../contract/engine.ts";
import { LongsightError } from "../contract/errors.ts";
import { parseAt } from "../contract/parse.ts";
import { type Message, messagesOf, say } from "../contract/said.ts";
import { openAddedModels } from "./addedModels.ts";
import type { CallOptions } from "./callOptions.ts";
import { createAsking } from "./conversation/ask.ts";
import { compareAnswers } from "./conversation/compare.ts";
import { drawHeatmap } from "./conversation/heatmap.ts";
import { openHistory } from "./conversation/history.ts";
import { readImportance, storedImportance } from "./conversation/importance.ts";
import { findPassages, listPins, refusePins } from "./conversation/pins.ts";
import { previewKept, reselect } from "./conversation/reselect.ts";
import { createDocumentFacts } from "./documentFacts.ts";
import { createDocumentReader } from "./documents/documents.ts";
import { createRecognisedFiles } from "./documents/ocr/recognisedFiles.ts";
import { createOpenDocuments } from "./documents/openDocuments.ts";
import { openCatalogue } from "./downloads/catalogue.ts";
import { createDownloads } from "./downloads/downloads.ts";
import { citeAnswer, exportConversation, lastQuestion } from "./export/exportConversation.ts";
import { checkKind } from "./llama/model.ts";
import { loadRuntime } from "./llama/runtime.ts";
import { createModuleShelf } from "./lookahead/moduleShelf.ts";
import { describeMachine } from "./machine.ts";
import { createModelShelf } from "./models.ts";
import { startProgress, waitingEvent } from "./progress.ts";
import { createQueue } from "./queue.ts";
import { searchConversations } from "./search/searchConversations.ts";
import { searchDocument } from "./search/searchDocument.ts";
import { createSession, describeModule, type Loaded } from "./session.ts";
import { openSnapshots, type Snapshots } from "./snapshots/snapshots.ts";

export type EngineOptions = EngineStart & {
  /** Bundled worker that reads PDFs. */
  readonly documentWorker: string;
  /** True: conversations live in memory only (the command line). */
  readonly forgetful?: boolean;
  /** Where what is read into a model is kept, so that it need not be read again; null or missing for nowhere, nor recognised text. */
  readonly snapshotFolder?: string | null;
};

export type Engine = {
  /**
   * Carries out one request. Everything that a person waits for reports progress and can be aborted.
   * @param call `{ method, payload }`, not yet trusted
   * @throws LongsightError
   */
  handle(call: unknown, options: CallOptions): Promise<unknown>;
  /** The same for callers that are typed already. */
  call<Method extends EngineMethod>(
    method: Method,
    payload: z.input<(typeof engineContract)[Method]["request"]>,
    options: CallOptions,
  ): Promise<EngineResultOf<Method>>;
  /** Whether an answer or a document is being worked on. */
  readonly busy: boolean;
  /** What its start found that the person should be told. */
  readonly notice: Message | null;
  dispose(): Promise<void>;
};

type Doors = { [Method in EngineMethod]: (payload: unknown, call: CallOptions) => Promise<EngineResultOf<Method>> };

/** Parses what comes in by the request's own schema before anything else sees it. */
function door<Schema extends z.ZodType, Result>(
  name: string,
  schema: Schema,
  handler: (request: z.output<Schema>, call: CallOptions) => Promise<Result> | Result,
): (payload: unknown, call: CallOptions) => Promise<Result> {
  return async (payload, call) => handler(parseAt(say("requestOfDoor", { method: name }), schema, payload), call);
}

/** The engine: documents, conversations and the model behind one door. The same for the window's process and the command line. */
export function createEngine(options: EngineOptions): Engine {
  const history = openHistory(options.forgetful === true ? ":memory:" : join(options.dataFolder, "longsight.db"));
  const downloadFolder = options.forgetful === true ? null : join(options.dataFolder, "models");
  const downloads = createDownloads(openCatalogue(options.testCatalogue), downloadFolder);
  const modules = createModuleShelf(options.moduleFolders);
  const shelf = createModelShelf(options.modelFolders, {
    downloads: downloadFolder,
    added: openAddedModels(options.forgetful === true ? null : join(options.dataFolder, "models.json")),
    moduleFor: async (model) => describeModule((await modules.findFor(model)).module),
    checkKind,
  });
  const snapshots = options.snapshotFolder == null ? null : openSnapshots(options.snapshotFolder);
  const session = createSession(shelf, modules, snapshots);
  const queue = createQueue();
  const reader = createDocumentReader({ workerPath: options.documentWorker });
  // A run that keeps nothing of what is read into a model keeps nothing of this either.
  const recognisedFolder = snapshots === null ? null : join(options.dataFolder, "recognised");
  const documents = createOpenDocuments(reader, createRecognisedFiles(recognisedFolder));
  /** One document's pictures are read at a time: it takes a core for minutes. */
  const recognising = createQueue();
  const asking = createAsking({ history, session, queue, documents, shelf });
  const reselecting = { history, documents, shelf, promptOf: asking.promptOf };
  let extracting = 0;
  /** Aborted when the engine ends: what nobody else stops must not keep it from that. */
  const closing = new AbortController();
  const untilClosed = async <Result>(call: CallOptions, work: (call: CallOptions) => Promise<Result>): Promise<Result> => {
    const controller = new AbortController();
    const stop = () => controller.abort();
    const signals = [call.signal, closing.signal];
    for (const signal of signals) {
      signal.addEventListener("abort", stop);
      if (signal.aborted) stop();
    }
    try {
      return await work({ ...call, signal: controller.signal });
    } finally {
      for (const signal of signals) signal.removeEventListener("abort", stop);
    }
  };

  /** Work of the loaded model's that waits until what was asked for before is done. */
  const inQueue = <Result>(call: CallOptions, work: (loaded: Loaded, call: CallOptions) => Promise<Result>): Promise<Result> =>
    untilClosed(call, (own) =>
      queue.run(
        own.signal,
        () => session.use((loaded) => work(loaded, own)),
        () => own.emit(waitingEvent),
      ),
    );

  const { counted, thumbnailOf } = createDocumentFacts({ history, session, documents, reader });

  const contract = engineContract;
  const doors: Doors = {
    about: door("about", contract.about.request, async () => {
      const [runtime, machine] = await Promise.all([loadRuntime(), describeMachine()]);
      return {
        version: options.version,
        build: runtime.build,
        backends: [...runtime.backends],
        variant: runtime.variant,
        gpu: runtime.gpu,
        nodeLlamaCpp: runtime.nodeLlamaCpp,
        addonVersion: runtime.bindings.longsightVersion,
        runtime: runtimeName(),
        cores: machine.cores,
        memoryBytes: machine.memoryBytes,
        freeMemoryBytes: machine.freeMemoryBytes,
        dataFolder: options.dataFolder,
      };
    }),
    memory: door("memory", contract.memory.request, async () => {
      const { memoryBytes, freeMemoryBytes } = await describeMachine();
      const measure = async ({ model, cache, keptBytes }: Loaded) => ({
        weightsBytes: model.weightsBytes,
        fullCacheBytes: cache.bytes(),
        keptCacheBytes: keptBytes(),
      });
      const model = session.current() === null ? null : await session.use(measure);
      return { model, residentBytes: process.memoryUsage().rss, memoryBytes, freeMemoryBytes };
    }),
    listModels: door("listModels", contract.listModels.request, async () => shelf.list(await describeMachine())),
    listUnusableModels: door("listUnusableModels", contract.listUnusableModels.request, () => shelf.listUnusable()),
    inspectModel: door("inspectModel", contract.inspectModel.request, async ({ model }) =>
      shelf.report(await shelf.find(model), await describeMachine()),
    ),
    addModel: door("addModel", contract.addModel.request, async ({ path }) => shelf.report(await shelf.add(path), await describeMachine())),
    removeModel: door("removeModel", contract.removeModel.request, async ({ path }) => {
      const current = session.current()?.report;
      if (current?.path === path) {
        throw new LongsightError("not-supported", say("modelInUse", { model: current.name }));
      }
      await shelf.remove(path);
      return {};
    }),
    listCatalogue: door("listCatalogue", contract.listCatalogue.request, () => downloads.list()),
    downloadModel: door("downloadModel", contract.downloadModel.request, ({ id }, call) =>
      untilClosed(call, async (own) => shelf.report(await shelf.find(await downloads.get(id, own)), await describeMachine())),
    ),
    discardDownload: door("discardDownload", contract.discardDownload.request, async ({ id }) => {
      await downloads.discard(id);
      return {};
    }),
    loadModel: door("loadModel", contract.loadModel.request, (request, { signal, emit }) =>
      queue.run(
        signal,
        () => session.load(request, signal, emit),
        () => emit(waitingEvent),
      ),
    ),
    currentModel: door("currentModel", contract.currentModel.request, () => session.current()),

    openDocument: door("openDocument", contract.openDocument.request, async ({ path, password }, call) => {
      extracting += 1;
      try {
        let progress: ReturnType<typeof startProgress> | undefined;
        const document = await documents.open(path, password, call.signal, {
          onProgress(done, total) {
            progress ??= startProgress("extract", total, call.emit);
            progress.update(done);
          },
          onOutline: (outline) => call.emit({ event: "outline", outline }),
        });
        const { id, name, kind, bytes, locked, pages } = document;
        snapshots?.store.welcome(id);
        history.rememberDocument({
          id,
          name,
          path: document.path,
          kind,
          bytes,
          locked,
          pages: pages.length,
          title: document.title ?? null,
          openedAt: Date.now(),
        });
        return await counted(document, call);
      } finally {
        extracting -= 1;
      }
    }),
    documentBytes: door("documentBytes", contract.documentBytes.request, ({ documentId }) => documents.file(documentId)),
    pageText: door("pageText", contract.pageText.request, ({ documentId, page }, { signal }) =>
      documents.pageText(documentId, page, signal),
    ),
    recogniseText: door("recogniseText", contract.recogniseText.request, ({ documentId, languages }, call) =>
      untilClosed(call, (own) =>
        recognising.run(
          own.signal,
          async () => {
            let progress: ReturnType<typeof startProgress> | undefined;
            try {
              const document = await documents.recognise(documentId, languages, own.signal, (done, total) => {
                progress ??= startProgress("recognise", total, own.emit);
                progress.update(done);
              });
              return await counted(document, own);
            } finally {
              // What was counted of the pages' earlier text is of no use.
              session.forget(documentId);
            }
          },
          () => own.emit(waitingEvent),
        ),
      ),
    ),
    thumbnail: door("thumbnail", contract.thumbnail.request, async ({ documentId }, { signal }) => ({
      thumbnail: await thumbnailOf(documentId, signal),
    })),
    listLibrary: door("listLibrary", contract.listLibrary.request, () => history.listLibrary()),
    forgetDocument: door("forgetDocument", contract.forgetDocument.request, async ({ documentId }) => {
      history.forgetDocument(documentId);
      await documents.forget(documentId);
      session.forget(documentId);
      await snapshots?.store.forget(documentId);
      return {};
    }),

    listConversations: door("listConversations", contract.listConversations.request, () => history.listConversations()),
    createConversation: door("createConversation", contract.createConversation.request, (request) =>
      history.createConversation(randomUUID(), request.documents, Date.now()),
    ),
    getConversation: door("getConversation", contract.getConversation.request, (request) =>
      history.getConversation(request.conversationId),
    ),
    setConversationDocuments: door("setConversationDocuments", contract.setConversationDocuments.request, (request) =>
      history.setDocuments(request.conversationId, request.documents, Date.now()),
    ),
    setPins: door("setPins", contract.setPins.request, ({ conversationId, pins }) => {
      refusePins(documents, history.getConversation(conversationId).documents, pins);
      return history.setPins(conversationId, pins, Date.now());
    }),
    listPins: door("listPins", contract.listPins.request, ({ conversationId }) => {
      const { documents: choices, pins } = history.getConversation(conversationId);
      return listPins(documents, choices, pins);
    }),
    findPassages: door("findPassages", contract.findPassages.request, ({ documents: choices, text }) =>
      findPassages(documents, choices, text),
    ),
    renameConversation: door("renameConversation", contract.renameConversation.request, (request) =>
      history.rename(request.conversationId, request.title, Date.now()),
    ),
    setDraft: door("setDraft", contract.setDraft.request, ({ conversationId, draft }) => {
      history.setDraft(conversationId, draft);
      return {};
    }),
    setChoice: door("setChoice", contract.setChoice.request, ({ conversationId, choice }) => {
      history.setChoice(conversationId, choice);
      return {};
    }),
    deleteConversation: door("deleteConversation", contract.deleteConversation.request, async ({ conversationId }) => {
      await asking.stop(conversationId);
      history.deleteConversation(conversationId, Date.now());
      return {};
    }),
    restoreConversation: door("restoreConversation", contract.restoreConversation.request, ({ conversationId }) =>
      history.restoreConversation(conversationId),
    ),
    showTurn: door("showTurn", contract.showTurn.request, ({ conversationId, turnId }) => history.showTurn(conversationId, turnId)),

    searchConversations: door("searchConversations", contract.searchConversations.request, ({ text }) =>
      searchConversations(history, text),
    ),
    searchDocument: door("searchDocument", contract.searchDocument.request, ({ documentId, text }, { signal }) =>
      searchDocument(documents.get(documentId).document, text, signal),
    ),

    citeAnswer: door("citeAnswer", contract.citeAnswer.request, ({ conversationId, turnId }) => ({
      citations: citeAnswer({ history, documents }, conversationId, turnId),
    })),
    exportConversation: door(
      "exportConversation",
      contract.exportConversation.request,
      async ({ conversationId, format, language, heat }, call) => {
        const conversation = history.getConversation(conversationId);
        const wanted = heat === null || format !== "html" ? null : { ...heat, question: lastQuestion(conversation).question, seed: 0 };
        const { documents: choices, pins } = conversation;
        const heatmap =
          wanted === null
            ? null
            : await inQueue(call, (loaded, own) => drawHeatmap(loaded, { documents, shelf }, { ...wanted, documents: choices, pins }, own));
        return exportConversation({ history, documents }, { conversationId, format, language, heatmap, now: Date.now() });
      },
    ),

    measurePrompt: door("measurePrompt", contract.measurePrompt.request, (request) => asking.measure(request)),
    heatmap: door("heatmap", contract.heatmap.request, (request, call) =>
      inQueue(call, (loaded, own) => drawHeatmap(loaded, { documents, shelf }, request, own)),
    ),
    importance: door("importance", contract.importance.request, (request, call) =>
      request.read
        ? inQueue(call, (loaded, own) => readImportance(loaded, reselecting, request, own))
        : session.use((loaded) => storedImportance(loaded, reselecting, request, call)),
    ),
    preview: door("preview", contract.preview.request, (request, call) =>
      session.use((loaded) => previewKept(loaded, reselecting, request, call)),
    ),
    reselect: door("reselect", contract.reselect.request, (request, call) =>
      inQueue(call, (loaded, own) => reselect(loaded, reselecting, request, own)),
    ),
    compare: door("compare", contract.compare.request, (request, call) =>
      inQueue(call, (loaded, own) => compareAnswers(loaded, reselecting, request, own)),
    ),
    ask: door("ask", contract.ask.request, (request, call) => asking.ask(request, call)),

    snapshotUsage: door("snapshotUsage", contract.snapshotUsage.request, () => stored(snapshots).usage()),
    clearSnapshots: door("clearSnapshots", contract.clearSnapshots.request, async ({ documentId }) => {
      const store = stored(snapshots);
      await store.clear(documentId);
      return store.usage();
    }),
    configureSnapshots: door("configureSnapshots", contract.configureSnapshots.request, async (change) => {
      const store = stored(snapshots);
      await store.configure(change);
      return store.usage();
    }),
  };

  const call: Engine["call"] = (method, payload, callOptions) => doors[method](payload, callOptions);

  return {
    async handle(value, callOptions) {
      const { method, payload } = parseAt(say("requestDoor"), engineCallSchema, value);
      return doors[method](payload, callOptions);
    },
    call,
    get busy() {
      return queue.length > 0 || extracting > 0 || recognising.length > 0;
    },
    notice: joined(messagesOf(history)),
    async dispose() {
      closing.abort();
      await asking.stopAll();
      await reader.dispose();
      await session.dispose();
      await snapshots?.close(flushLimitMs);
      history.close();
    },
  };
}

/** Several messages as one, with a blank line between them. */
function joined(messages: readonly Message[]): Message | null {
  const [first = null, ...others] = messages;
  return others.reduce((before, next) => (before === null ? next : say("oneAfterOther", { before, next })), first);
}

/** Milliseconds that the end waits for what was read to be written: less than main gives the engine to end. */
const flushLimitMs = 2000;

/** @throws LongsightError `not-supported` where nothing is kept on disk */
function stored(snapshots: Snapshots | null): Snapshots["store"] {
  if (snapshots === null) throw new LongsightError("not-supported", say("notKeptHere"));
  return snapshots.store;
}

function runtimeName(): string {
  const electron = process.versions["electron"];
  return `Node ${process.versions.node}${electron === undefined ? "" : `, Electron ${electron}`}`;
}
