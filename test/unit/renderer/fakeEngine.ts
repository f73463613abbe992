import { vi } from "vitest";
import type { AnswerFigures, Conversation, PromptMeasure, Turn } from "../../../electron/contract/conversation.ts";
import type { DocumentSummary } from "../../../electron/contract/document.ts";
import { type EngineMethod, engineContract, type StreamEvent } from "../../../electron/contract/engine.ts";
import { LongsightError, toProblem } from "../../../electron/contract/errors.ts";
import type { LoadedModel, ModelReport } from "../../../electron/contract/model.ts";
import { type EngineState, type Settings, type ShellMethod, settingsSchema } from "../../../electron/contract/shell.ts";
import type { SnapshotUsage } from "../../../electron/contract/snapshots.ts";
import { createSession, type Session } from "../../../renderer/app/session.ts";
import { createEngineCaller, type EngineCaller } from "../../../renderer/engine/call.ts";
import { createShellCaller } from "../../../renderer/shell/bridge.ts";

export const idOf = (letter: string): string => letter.repeat(64);

export function summaryOf(letter: string, change: Partial<DocumentSummary> = {}): DocumentSummary {
  return {
    id: idOf(letter),
    name: `${letter}.pdf`,
    path: `/files/${letter}.pdf`,
    kind: "pdf",
    bytes: 1000,
    pages: [1, 2, 3, 4].map((page) => ({ page, characters: 400, tokens: 100, flags: [], width: 595, height: 842 })),
    characters: 1600,
    tokens: 400,
    locked: false,
    notices: [],
    ...change,
  };
}

export const report: ModelReport = {
  id: "small",
  name: "Small",
  path: "/models/small.gguf",
  architecture: "llama",
  fileBytes: 1000,
  trainedContextLength: 8192,
  layers: 2,
  attentionHeads: 2,
  kvHeads: 1,
  embeddingWidth: 64,
  kvBytesPerToken: { f16: 512, q8_0: 272, q4_0: 144 },
  quantisation: "Q8_0",
  hasChatTemplate: true,
  embedded: true,
  origin: "installed",
  lookahead: null,
  fit: { verdict: "fits", neededBytes: 1, availableBytes: 2, sentence: "Fits." },
};

export const model: LoadedModel = { report, contextLength: 1024, kvType: "f16", threads: 2, cacheBytes: 1, lookahead: null, notices: [] };

export function measureOf(change: Partial<PromptMeasure> = {}): PromptMeasure {
  return {
    documents: [],
    documentTokens: 400,
    questionTokens: 10,
    otherTokens: 20,
    promptTokens: 430,
    contextLength: 1024,
    answerRoom: 512,
    fits: true,
    ...change,
  };
}

export function turnOf(id: string, change: Partial<Turn> = {}): Turn {
  return { id, question: `question ${id}`, answer: "", status: "writing", figures: null, problem: null, createdAt: 1, ...change };
}

export const figures: AnswerFigures = {
  answer: "whole",
  stopReason: "end",
  model: "small",
  documentTokens: 400,
  promptTokens: 430,
  contextLength: 1024,
  cachedTokens: 0,
  restoredTokens: 0,
  evaluatedTokens: 430,
  answerTokens: 2,
  policy: "full",
  mode: "question",
  share: "score",
  rereadTokens: 0,
  scoredFor: null,
  startedOver: null,
  evictions: 0,
  answerEvictions: 0,
  scoredRows: 0,
  budget: "full",
  keptTokens: null,
  documents: [],
  evidence: [],
  scoresStored: false,
  kvType: "f16",
  seed: 1,
  fullCacheBytes: 1,
  keptCacheBytes: 1,
  peakRssBytes: 1,
  timings: { extractMs: 0, restoreMs: 0, prefillMs: 1, scoringMs: 0, evictionMs: 0, snapshotMs: 0, firstTokenMs: 1, decodeMs: 1 },
  prefillTokensPerSecond: 1,
  decodeTokensPerSecond: 1,
};

/** Nothing stored, with room for it. */
export const usage: SnapshotUsage = {
  folder: "/data/snapshots",
  settings: { budgetBytes: 10_000_000_000, form: "exact" },
  totalBytes: 0,
  documents: [],
};

type Reply = { readonly emit: (event: StreamEvent) => void; readonly cancelled: () => boolean };
/** Answers one request; what it throws becomes the stream's error. */
export type Handler = (payload: never, reply: Reply) => unknown;

export type Desk = {
  readonly session: Session;
  readonly caller: EngineCaller;
  readonly conversations: Map<string, Conversation>;
  readonly asked: { readonly method: EngineMethod; readonly payload: unknown }[];
  readonly handlers: Partial<Record<EngineMethod, Handler>>;
  /** What main was asked to tell or show outside the window. */
  readonly told: { readonly method: ShellMethod; readonly payload: unknown }[];
  readonly settings: () => Settings;
  readonly files: { chosen: string[]; waiting: string[]; sample: string | null };
  /** What main says of the engine when it is asked. */
  readonly engine: { state: EngineState };
  /** Changes what main remembers, before the window asks. */
  readonly set: (change: Partial<Settings>) => void;
};

/** A session over real message channels, with a scripted engine and main at the far ends. */
export function createDesk(handlers: Partial<Record<EngineMethod, Handler>> = {}): Desk {
  const conversations = new Map<string, Conversation>();
  const deleted = new Map<string, Conversation>();
  const library = new Map<string, DocumentSummary>();
  const asked: { method: EngineMethod; payload: unknown }[] = [];
  const told: { method: ShellMethod; payload: unknown }[] = [];
  const files: Desk["files"] = { chosen: [], waiting: [], sample: null };
  const engine: Desk["engine"] = { state: { state: "ready" } };
  let settings = settingsSchema.parse({});
  let count = 0;

  const found = (id: string): Conversation => {
    const conversation = conversations.get(id);
    if (conversation === undefined) throw new LongsightError("conversation-unknown", "It is not there.");
    return conversation;
  };
  const kept = (conversation: Conversation): Conversation => {
    conversations.set(conversation.id, conversation);
    return conversation;
  };
  const summaryForPath = (path: string): DocumentSummary => summaryOf(path.slice(path.lastIndexOf("/") + 1, -4).slice(0, 1), { path });

  const defaults: Partial<Record<EngineMethod, Handler>> = {
    listModels: () => [report],
    listUnusableModels: () => [],
    listCatalogue: () => [],
    currentModel: () => model,
    loadModel: () => model,
    openDocument: ({ path }: { path: string }) => {
      const summary = summaryForPath(path);
      library.set(summary.id, summary);
      return summary;
    },
    listLibrary: () =>
      [...library.values()].map(({ id, name, path, kind, bytes, pages, locked }) => ({
        id,
        name,
        path,
        kind,
        bytes,
        pages: pages.length,
        locked,
        openedAt: 1,
      })),
    listConversations: () =>
      [...conversations.values()].map(({ documents: _documents, turns, ...rest }) => ({ ...rest, turns: turns.length })),
    createConversation: ({ documents }: Pick<Conversation, "documents">) => {
      count += 1;
      return kept({
        id: `c${count}`,
        title: "",
        createdAt: count,
        updatedAt: count,
        documents,
        pins: [],
        choice: null,
        draft: "",
        turns: [],
        versions: {},
      });
    },
    getConversation: ({ conversationId }: { conversationId: string }) => found(conversationId),
    setConversationDocuments: ({ conversationId, documents }: { conversationId: string; documents: Conversation["documents"] }) =>
      kept({ ...found(conversationId), documents }),
    renameConversation: ({ conversationId, title }: { conversationId: string; title: string }) => kept({ ...found(conversationId), title }),
    deleteConversation: ({ conversationId }: { conversationId: string }) => {
      const conversation = found(conversationId);
      conversations.delete(conversationId);
      deleted.set(conversationId, conversation);
      return {};
    },
    setDraft: ({ conversationId, draft }: { conversationId: string; draft: string }) => {
      kept({ ...found(conversationId), draft });
      return {};
    },
    setChoice: ({ conversationId, choice }: { conversationId: string; choice: Conversation["choice"] }) => {
      kept({ ...found(conversationId), choice });
      return {};
    },
    restoreConversation: ({ conversationId }: { conversationId: string }) => {
      const conversation = deleted.get(conversationId);
      if (conversation === undefined) throw new LongsightError("conversation-unknown", "It is gone for good.");
      return kept(conversation);
    },
    measurePrompt: () => measureOf(),
    snapshotUsage: () => usage,
    ...handlers,
  };
  const all = defaults;

  const caller = createEngineCaller((call, port) => {
    const method = call.method;
    asked.push({ method, payload: call.payload });
    let cancelled = false;
    port.onmessage = (message: MessageEvent<unknown>) => {
      if (JSON.stringify(message.data) === '{"kind":"cancel"}') cancelled = true;
    };
    const emit = (event: unknown): void => port.postMessage(event);
    const handler = all[method];
    const run = async (): Promise<unknown> => {
      if (handler === undefined) throw new LongsightError("not-supported", `No ${method} here.`);
      const payload = engineContract[method].request.parse(call.payload);
      // The contract has checked it; a handler names the part that it reads.
      return Reflect.apply(handler, undefined, [payload, { emit, cancelled: () => cancelled }]);
    };
    run().then(
      (result) => emit({ event: "result", result }),
      (error: unknown) => emit({ event: "error", problem: toProblem(error) }),
    );
  });

  const replies: Record<ShellMethod, (payload: unknown) => unknown> = {
    chooseFiles: () => files.chosen,
    getSettings: () => settings,
    changeSettings: (change) => {
      settings = settingsSchema.parse({ ...settings, ...settingsSchema.partial().parse(change) });
      return settings;
    },
    getEngineState: () => engine.state,
    restartEngine: () => ({ state: "ready" }),
    takeFilesToOpen: () => files.waiting.splice(0),
    openLink: () => ({ opened: true }),
    sampleDocument: () => files.sample,
    dataFolder: () => "/data",
    openDataFolder: () => {
      told.push({ method: "openDataFolder", payload: {} });
      return {};
    },
    notify: (payload) => {
      told.push({ method: "notify", payload });
      return { shown: true };
    },
    saveText: () => ({ path: "/files/saved" }),
  };
  const shell = createShellCaller({
    platform: "linux",
    shell: async (method, payload) => ({ ok: true, value: replies[method](payload) }),
    onShellEvent: () => () => undefined,
    pathOfFile: () => "",
  });
  return {
    session: createSession(caller, shell),
    caller,
    conversations,
    asked,
    told,
    handlers: all,
    settings: () => settings,
    files,
    engine,
    set: (change) => {
      settings = { ...settings, ...change };
    },
  };
}

/** Waits until something holds; fails with what was there instead. */
export function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 5000, interval: 5 });
}
