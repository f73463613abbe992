import type { ProgressEvent } from "../contract/engine.ts";
import { LongsightError, toProblem } from "../contract/errors.ts";
import { defaultContext, roundContext } from "../contract/fit.ts";
import type { KvType, LoadedModel, ModuleFacts } from "../contract/model.ts";
import { type Message, noticesOf, say } from "../contract/said.ts";
import type { PromptPart } from "./conversation/prompt.ts";
import { createTailSlot, type TailSlot } from "./conversation/promptTail.ts";
import { createOnceSlot, type OnceSlot } from "./conversation/readOnce.ts";
import { chatOf, type Render } from "./conversation/template.ts";
import { createFullCache, type FullCache } from "./fullCache.ts";
import type { ModelContext } from "./llama/context.ts";
import { judgeFit, keptCells, longestContext, sayFit } from "./llama/fit.ts";
import { decisiveContext } from "./llama/gguf.ts";
import { loadModel as loadWeights, type Model, type Tokenised } from "./llama/model.ts";
import { loadRuntime } from "./llama/runtime.ts";
import { defaultThreads } from "./llama/threads.ts";
import { createKeptSizes, type KeptSizes } from "./lookahead/keptSizes.ts";
import type { LookaheadModule } from "./lookahead/module.ts";
import type { ModuleShelf } from "./lookahead/moduleShelf.ts";
import type { LoadedModule } from "./lookahead/plan.ts";
import { createScoreShelf, type ScoreShelf } from "./lookahead/scoreShelf.ts";
import { describeMachine } from "./machine.ts";
import { type ModelFinder, reportOf } from "./models.ts";
import { startProgress } from "./progress.ts";
import type { FileStamp } from "./snapshots/modelHash.ts";
import type { ModelSnapshots, Snapshots } from "./snapshots/snapshots.ts";

export type LoadRequest = {
  model: string;
  contextLength: number | null;
  kvType: KvType;
  threads: number | null;
  /** Tokens that the full cache may hold; null for as many as the context. */
  fullCacheTokens?: number | null;
  /** Layers that a GPU computes; null for all, and without a meaning where there is none. */
  gpuLayers?: number | null;
};

/** The one model that is loaded, its full cache, and the tokens of pages counted under it. */
export type Loaded = {
  readonly model: Model;
  readonly cache: FullCache;
  /**
   * An empty context to keep tokens in, so many in each layer, with room for at least so many more. Otherwise it is like the full cache's.
   */
  createKept(budgets: Uint32Array, room: number): Promise<ModelContext>;
  /**
   * Positions that a text may have where cells are few: as many as the context, or as the model was trained for where those are more and its
   * keys do not depend on the context's length.
   */
  readonly positions: number;
  /** Bytes that are allocated for kept contexts now. */
  keptBytes(): number;
  /** What mode `once` keeps between turns. */
  readonly once: OnceSlot;
  /** The module made for this model; null where there is none. */
  readonly lookahead: LoadedModule | null;
  /** Scores of prompts that this model read, loaded the same way. */
  readonly scores: ScoreShelf;
  readonly keptSizes: KeptSizes;
  /** What snapshots lack of the last prompt that was evicted from. */
  readonly tail: TailSlot;
  /** What is on disk of prompts that this model read, loaded the same way; null where nothing is stored. */
  readonly snapshots: ModelSnapshots | null;
  readonly description: LoadedModel;
  readonly render: Render;
  /** Strings that end an answer of this model, besides those a question brings. */
  readonly stops: readonly string[];
  /** Tokenises a prompt's part; pages are remembered as long as these weights are loaded. */
  tokenise(part: PromptPart): Promise<Tokenised>;
};

export type Session = {
  /** Must run alone (in the engine's queue). A load that fails before room was made leaves what was loaded; one that fails later leaves nothing. */
  load(request: LoadRequest, signal: AbortSignal, emit: (event: ProgressEvent) => void): Promise<LoadedModel>;
  current(): LoadedModel | null;
  /** Drops what is remembered of a document's pages, and the last prompt's rows, which may be its own. */
  forget(documentId: string): void;
  /**
   * Runs work on the loaded model and keeps it from being unloaded meanwhile.
   * @throws LongsightError `model-none`
   */
  use<Result>(work: (loaded: Loaded) => Promise<Result>): Promise<Result>;
  dispose(): Promise<void>;
};

/** @param snapshots where what is read is kept on disk; null for nowhere */
export function createSession(shelf: ModelFinder, modules: ModuleShelf, snapshots: Snapshots | null = null): Session {
  type Own = { users: Set<Promise<unknown>>; pages: PageTokens; found: FoundForModel; stamp: FileStamp | null; gpuLayers: number | null };
  let loaded: (Loaded & Own) | null = null;

  const unload = async () => {
    const old = loaded;
    loaded = null;
    if (old === null) return;
    await Promise.allSettled(old.users);
    old.snapshots?.dispose();
    await old.once.free();
    await old.cache.free();
    await old.model.dispose();
  };

  return {
    current: () => loaded?.description ?? null,
    forget(documentId) {
      loaded?.pages.forget(documentId);
      loaded?.tail.clear();
    },
    async use(work) {
      const present = loaded;
      if (present === null) throw new LongsightError("model-none", say("noModelLoaded"));
      const running = work(present);
      present.users.add(running);
      try {
        return await running;
      } finally {
        present.users.delete(running);
      }
    },
    async load(request, signal, emit) {
      const [found, machine, runtime] = await Promise.all([shelf.find(request.model), describeMachine(), loadRuntime()]);
      const { header } = found;
      const before = loaded;
      const gpuLayers = runtime.gpu === null ? null : (request.gpuLayers ?? null);
      const sameWeights = before !== null && before.model.header.path === header.path && before.gpuLayers === gpuLayers;
      // What is loaded now is freed before the new one needs its place.
      const free =
        machine.freeMemoryBytes +
        (before === null ? 0 : before.cache.bytes() + (sameWeights ? header.fileBytes : before.model.header.fileBytes));
      const contextLength = roundContext(request.contextLength ?? defaultContext(header, request.kvType, free));
      const threads = request.threads ?? defaultThreads(machine.cores, runtime.physicalCores);
      const present = before?.description;
      const fullCacheTokens = Math.min(contextLength, roundContext(request.fullCacheTokens ?? contextLength));
      if (
        sameWeights &&
        before.cache.mostTokens === fullCacheTokens &&
        present?.contextLength === contextLength &&
        present.kvType === request.kvType &&
        present.threads === threads
      )
        return present;
      const fit = judgeFit(header, fullCacheTokens, request.kvType, free);
      if (fit.verdict === "does-not-fit") {
        const longest = longestContext(header, request.kvType, free);
        const said = { model: header.name, fit: sayFit(header, fullCacheTokens, request.kvType, free) };
        throw new LongsightError(
          "model-memory",
          longest === 0 ? say("modelTooLarge", said) : say("contextTooLarge", { ...said, tokens: longest }),
        );
      }

      const progress = startProgress("load", header.fileBytes, emit);
      let model: Model;
      let stamp: FileStamp | null;
      if (sameWeights) {
        ({ model, stamp } = before);
        loaded = null;
        await Promise.allSettled(before.users);
        before.snapshots?.dispose();
        await before.once.free();
        await before.cache.free();
      } else {
        // Before the weights: of a file that is replaced meanwhile, nobody knows which was loaded, and its hash is never taken.
        stamp = (await snapshots?.hashes.stamp(header.path)) ?? null;
        model = await loadWeights(header, {
          signal,
          gpuLayers,
          onProgress: (fraction) => progress.update(Math.floor(fraction * header.fileBytes * 0.99)),
        });
        await unload();
      }
      const create = (cells: number | Uint32Array) => {
        const options = { contextLength, kvType: request.kvType, threads, slidingWindow: header.slidingWindow };
        return model.createContext(cells === contextLength ? options : { ...options, cells });
      };
      const cache = createFullCache(contextLength, create, fullCacheTokens);
      // Now, so that a context that cannot be had is refused when it is chosen and not at the first question. One after the other: a
      // failure disposes the model, and nothing may be reading a LoRA for it then.
      const opened = async () => {
        const context = await cache.open(null, false);
        const foundModule = sameWeights ? before.found : await findModule(modules, model);
        const decisive = decisiveContext(header, context.contextLength);
        const stored = await snapshots?.forModel({
          path: header.path,
          stamp,
          chatTemplate: header.chatTemplate,
          kvType: request.kvType,
          hasWindows: header.slidingWindow > 0,
          contextLength: decisive,
          build: runtime.build,
          addonVersion: runtime.bindings.longsightVersion,
          variant: runtime.variant,
          // The same layer rounds otherwise elsewhere.
          gpu: gpuLayers === null ? runtime.gpu : `${runtime.gpu}, ${gpuLayers} layers`,
        });
        const positions = decisive === null ? Math.max(context.contextLength, header.trainedContextLength) : context.contextLength;
        return { context, foundModule, stored: stored ?? null, positions };
      };
      const { context, foundModule, stored, positions } = await opened().catch(async (error: unknown) => {
        await cache.free();
        await model.dispose();
        throw error;
      });
      progress.update(header.fileBytes);
      const lookahead = describeModule(foundModule.lookahead?.module ?? null);
      const description: LoadedModel = {
        report: reportOf(found, machine, lookahead),
        contextLength: context.contextLength,
        kvType: request.kvType,
        threads,
        cacheBytes: context.buffers().cache,
        lookahead,
        ...noticesOf([...headerNotices(header.chatTemplate, header.trainedContextLength, context.contextLength), ...foundModule.notices]),
      };
      const keptSizes = createKeptSizes();
      const pages = sameWeights ? before.pages : rememberPages(model);
      loaded = {
        model,
        cache,
        ...trackKept((budgets, room) => create(keptCells(budgets, room, { contextLength, gpu: runtime.gpu !== null })), keptSizes),
        positions,
        once: createOnceSlot(),
        lookahead: foundModule.lookahead,
        found: foundModule,
        scores: createScoreShelf(),
        keptSizes,
        tail: createTailSlot(),
        snapshots: stored,
        stamp,
        gpuLayers,
        description,
        ...chatOf(model),
        pages,
        tokenise: pages.tokenise,
        users: new Set(),
      };
      return description;
    },
    dispose: unload,
  };
}

/** Remembers the contexts that are made, as long as they are there, and their sizes for longer. */
function trackKept(create: Loaded["createKept"], sizes: KeptSizes): Pick<Loaded, "createKept" | "keptBytes"> {
  let made: ModelContext[] = [];
  const present = (): ModelContext[] => {
    made = made.filter((context) => !context.isDisposed);
    return made;
  };
  return {
    async createKept(budgets, room) {
      const context = await create(budgets, room);
      present().push(context);
      sizes.put(budgets, context.buffers().cache);
      return context;
    },
    keptBytes: () => present().reduce((sum, context) => sum + context.buffers().cache, 0),
  };
}

function headerNotices(chatTemplate: string | null, trained: number, contextLength: number): Message[] {
  const notices: Message[] = [];
  if (chatTemplate === null) notices.push(say("noChatTemplate"));
  if (contextLength > roundContext(trained)) notices.push(say("longerThanTrained", { tokens: trained }));
  return notices;
}

type FoundForModel = { readonly lookahead: LoadedModule | null; readonly notices: readonly Message[] };

/** The module made for a model, loaded; a module that is at fault is told, and the model does without it. */
async function findModule(modules: ModuleShelf, model: Model): Promise<FoundForModel> {
  const { module, refused } = await modules.findFor(model.header);
  const notices: readonly Message[] = refused;
  if (module === null) return { lookahead: null, notices };
  try {
    return { lookahead: { module, adapter: await model.loadAdapter(module.path) }, notices };
  } catch (error) {
    return { lookahead: null, notices: [...notices, toProblem(error)] };
  }
}

/** What is told of a module. */
export function describeModule(module: LookaheadModule | null): ModuleFacts | null {
  return module === null ? null : { name: module.name, steps: module.training.steps };
}

type PageTokens = { tokenise(part: PromptPart): Promise<Tokenised>; forget(documentId: string): void };

/** A page's tokens are the same in every prompt, so each is tokenised once per model. */
function rememberPages(model: Model): PageTokens {
  const documents = new Map<string, Map<string, Promise<Tokenised>>>();
  return {
    tokenise(part) {
      if (part.kind !== "page") return model.tokenise(part.text, part.kind === "control");
      const pages = documents.get(part.documentId) ?? new Map<string, Promise<Tokenised>>();
      documents.set(part.documentId, pages);
      const key = `${part.page}:${part.text.length}`;
      const tokens = pages.get(key) ?? model.tokenise(part.text, false);
      pages.set(key, tokens);
      return tokens;
    },
    forget: (documentId) => void documents.delete(documentId),
  };
}
