import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ProgressEvent } from "../../../electron/contract/engine.ts";
import { LongsightError } from "../../../electron/contract/errors.ts";
import type { ContextOptions, ModelContext } from "../../../electron/engine/llama/context.ts";
import type { GgufHeader } from "../../../electron/engine/llama/gguf.ts";
import type { Model } from "../../../electron/engine/llama/model.ts";
import type { LookaheadModule } from "../../../electron/engine/lookahead/module.ts";
import type { FoundModule, ModuleShelf } from "../../../electron/engine/lookahead/moduleShelf.ts";
import type { ModelFinder } from "../../../electron/engine/models.ts";
import { createSession, type LoadRequest } from "../../../electron/engine/session.ts";

// The native part is stood in for: what is tested is who may use a model and when it is freed.
const native = vi.hoisted(() => ({
  log: [] as string[],
  tokenised: [] as { text: string; special: boolean }[],
  freeMemoryBytes: 0,
  gpu: null as string | null,
  gpuLayers: [] as (number | null | undefined)[],
  failWeights: null as Error | null,
  failContext: null as Error | null,
  failAdapter: null as Error | null,
  found: { module: null, refused: [] } as FoundModule,
}));
vi.mock("../../../electron/engine/llama/runtime.ts", () => ({ loadRuntime: async () => ({ physicalCores: 2, gpu: native.gpu }) }));
vi.mock("../../../electron/engine/machine.ts", () => ({
  describeMachine: async () => ({ cores: 4, memoryBytes: 16 * 1024 ** 3, freeMemoryBytes: native.freeMemoryBytes }),
}));
vi.mock("../../../electron/engine/llama/model.ts", () => ({
  loadModel: async (header: GgufHeader, options: { gpuLayers?: number | null; onProgress(fraction: number): void }) => {
    native.gpuLayers.push(options.gpuLayers);
    if (native.failWeights !== null) throw native.failWeights;
    native.log.push(`load ${header.name}`);
    options.onProgress(0.5);
    return standIn(header);
  },
}));

function context(name: string, options: ContextOptions): ModelContext {
  const layerCells = typeof options.cells === "object" ? options.cells : Uint32Array.of(options.cells ?? options.contextLength);
  const cells = Math.max(...layerCells);
  return {
    contextLength: options.contextLength,
    decode: async () => undefined,
    decodeRows: async () => undefined,
    startScoring: () => undefined,
    stopScoring: () => undefined,
    scores: (tokens) => ({ layers: 1, heads: 1, tokens, values: new Float32Array(tokens) }),
    expectedAttention: async (tokens) => {
      const [logits, norms] = [new Float32Array(tokens), new Float32Array(tokens).fill(1)];
      return { layers: 1, heads: 1, groups: 1, tokens, logits, norms };
    },
    setAdapter: () => undefined,
    shape: () => ({ layers: 1, heads: 1, cells, tokens: 0, kept: false, layerCells, layerTokens: new Uint32Array(1) }),
    keepFrom: async () => undefined,
    rowBytes: () => 1,
    readRows: async (start, end) => new Uint8Array(end - start),
    writeRows: async () => undefined,
    readWindow: async () => null,
    writeWindow: async () => undefined,
    readKept: async () => null,
    writeKept: async () => undefined,
    bytesOf: () => ({ transposed: false, row: 0, bytes: new Uint8Array(0) }),
    truncate: (position) => position,
    sample: async () => -1,
    logits: () => new Float32Array(0),
    abort: () => undefined,
    resume: () => undefined,
    isDisposed: false,
    buffers: () => ({ cache: options.contextLength * 100, compute: 1 }),
    dispose: async () => void native.log.push(`free context of ${name}`),
  };
}

function standIn(header: GgufHeader): Model {
  return {
    header,
    weightsBytes: header.fileBytes,
    tokenise: async (text, special) => {
      native.tokenised.push({ text, special });
      return { tokens: new Uint32Array(text.length), bytes: new Uint32Array(text.length) };
    },
    pieceOf: () => new Uint8Array(0),
    isEnd: () => true,
    firstToken: null,
    renderTemplate: (template, messages) => `${template}: ${messages.map(({ content }) => content).join(" ")}`,
    createSampler: () => ({ applyConfig: () => undefined, dispose: () => undefined }),
    createContext: async (options) => {
      if (native.failContext !== null) throw native.failContext;
      native.log.push(`context of ${header.name}`);
      return context(header.name, options);
    },
    loadAdapter: async (path) => {
      if (native.failAdapter !== null) throw native.failAdapter;
      native.log.push(`adapter ${path}`);
      return { native: { dispose: async () => undefined } };
    },
    dispose: async () => void native.log.push(`free ${header.name}`),
  };
}

function headerOf(name: string): GgufHeader {
  return {
    path: `/models/${name}.gguf`,
    fileBytes: 100_000_000,
    name,
    architecture: "llama",
    trainedContextLength: 8192,
    layers: 30,
    attentionHeads: 9,
    kvHeads: 3,
    embeddingWidth: 576,
    kvBytesPerToken: { f16: 23_040, q8_0: 12_240, q4_0: 6_480 },
    headBytes: null,
    slidingWindow: 0,
    longRope: false,
    quantisation: "Q8_0",
    chatTemplate: name === "base" ? null : "template",
  };
}

const shelf: ModelFinder = {
  find: async (model) => {
    if (model === "missing") throw new LongsightError("model-missing", "There is no model “missing”.");
    return { id: model, embedded: false, origin: "installed", header: headerOf(model) };
  },
};

const modules: ModuleShelf = { findFor: async () => native.found };

const request = (model: string, over: Partial<LoadRequest> = {}): LoadRequest => ({
  model,
  contextLength: 2048,
  kvType: "f16",
  threads: null,
  ...over,
});
const signal = new AbortController().signal;
const silent = () => undefined;
const settle = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  native.log.length = 0;
  native.tokenised.length = 0;
  native.gpu = null;
  native.gpuLayers.length = 0;
  native.freeMemoryBytes = 8 * 1024 ** 3;
  native.failWeights = null;
  native.failContext = null;
  native.failAdapter = null;
  native.found = { module: null, refused: [] };
});

const moduleOf = (name: string, steps: number): LookaheadModule => ({
  path: `/modules/${name}.gguf`,
  name,
  tokens: 32,
  poolKernel: 7,
  alpha: 32,
  rank: 8,
  base: { architecture: "llama", name: "one", layers: 30, embeddingWidth: 576, attentionHeads: 9, kvHeads: 3, tokenizerHash: "" },
  training: { data: "none", steps, length: 0, date: "2026-11-29" },
  linears: [],
  trained: steps > 0,
  embeddings: new Float32Array(0),
});

describe("a lookahead module", () => {
  const problem = { code: "module-invalid", message: "“a.gguf” cannot be used." } as const;

  it("is loaded with its model and named, and what was refused is told", async () => {
    native.found = { module: moduleOf("foresight", 12), refused: [problem] };
    const session = createSession(shelf, modules);
    const description = await session.load(request("one"), signal, silent);
    expect(description).toMatchObject({ lookahead: { name: "foresight", steps: 12 }, notices: [problem.message] });
    expect(native.log).toEqual(["load one", "context of one", "adapter /modules/foresight.gguf"]);
    // It stays with the weights.
    const longer = await session.load(request("one", { contextLength: 4096 }), signal, silent);
    expect(longer).toMatchObject({ lookahead: { name: "foresight" }, notices: [problem.message] });
    expect(native.log.filter((line) => line.startsWith("adapter"))).toHaveLength(1);
  });

  it("that llama.cpp refuses leaves the model without one", async () => {
    native.found = { module: moduleOf("foresight", 12), refused: [] };
    native.failAdapter = new LongsightError("module-invalid", "“foresight.gguf” could not be loaded.");
    const description = await createSession(shelf, modules).load(request("one"), signal, silent);
    expect(description).toMatchObject({ lookahead: null, notices: ["“foresight.gguf” could not be loaded."] });
  });

  it("is not read for a model whose context cannot be had: that model is freed", async () => {
    native.found = { module: moduleOf("foresight", 12), refused: [] };
    native.failContext = new LongsightError("model-memory", "No.");
    await expect(createSession(shelf, modules).load(request("one"), signal, silent)).rejects.toThrow("No.");
    expect(native.log).toEqual(["load one", "free one"]);
  });
});

describe("loading", () => {
  it("says what was loaded, and reports from nothing to all", async () => {
    const session = createSession(shelf, modules);
    const events: ProgressEvent[] = [];
    const description = await session.load(request("one", { contextLength: 2000 }), signal, (event) => events.push(event));
    expect(description).toMatchObject({
      report: { id: "one" },
      contextLength: 2048,
      kvType: "f16",
      threads: 2,
      cacheBytes: 204_800,
      notices: [],
    });
    expect(session.current()).toBe(description);
    expect(events.map(({ stage }) => stage)).toEqual(events.map(() => "load"));
    expect([events[0]?.fraction, events.at(-1)?.fraction]).toEqual([0, 1]);
  });

  it("keeps a model that is loaded the same way already", async () => {
    const session = createSession(shelf, modules);
    const first = await session.load(request("one"), signal, silent);
    expect(await session.load(request("one", { threads: 2, contextLength: 1900 }), signal, silent)).toBe(first);
    expect(native.log).toEqual(["load one", "context of one"]);
  });

  it("keeps the weights where only the context is another", async () => {
    const session = createSession(shelf, modules);
    await session.load(request("one"), signal, silent);
    for (const over of [{ contextLength: 4096 }, { kvType: "q8_0" }, { threads: 1 }] satisfies Partial<LoadRequest>[]) {
      await session.load(request("one", over), signal, silent);
    }
    expect(native.log.filter((entry) => entry.startsWith("load"))).toEqual(["load one"]);
    expect(native.log.filter((entry) => entry === "free context of one")).toHaveLength(3);
    expect(session.current()).toMatchObject({ threads: 1, contextLength: 2048 });
  });

  it("loads the weights anew where a GPU is to compute other layers; without one the number means nothing", async () => {
    const session = createSession(shelf, modules);
    await session.load(request("one", { gpuLayers: 4 }), signal, silent);
    await session.load(request("one", { gpuLayers: null }), signal, silent);
    expect(native.gpuLayers).toEqual([null]);
    native.gpu = "vulkan";
    for (const gpuLayers of [4, 4, 0, null]) await session.load(request("one", { gpuLayers }), signal, silent);
    expect(native.gpuLayers).toEqual([null, 4, 0, null]);
    await session.dispose();
    expect(native.log.filter((entry) => entry === "free one")).toHaveLength(4);
  });

  it("frees the old model when another takes its place, context first", async () => {
    const session = createSession(shelf, modules);
    await session.load(request("one"), signal, silent);
    await session.load(request("two"), signal, silent);
    expect(native.log).toEqual(["load one", "context of one", "load two", "free context of one", "free one", "context of two"]);
    expect(session.current()?.report.id).toBe("two");
  });

  it("warns of what makes answers worse", async () => {
    const session = createSession(shelf, modules);
    expect((await session.load(request("base"), signal, silent)).notices).toEqual([expect.stringMatching(/no chat template/)]);
    expect((await session.load(request("one", { contextLength: 9000 }), signal, silent)).notices).toEqual([
      expect.stringMatching(/8,192 tokens/),
    ]);
    expect((await session.load(request("one", { contextLength: null }), signal, silent)).notices).toEqual([]);
  });

  it("renders by the file's template, and a base model as a plain transcript", async () => {
    const session = createSession(shelf, modules);
    const render = () => session.use(async (loaded) => loaded.render([{ role: "user", content: "Why?" }]));
    await session.load(request("one"), signal, silent);
    expect(await render()).toBe("template: Why?");
    await session.load(request("base"), signal, silent);
    expect(await render()).toBe("User: Why?\n\nAnswer:");
  });
});

describe("a load that fails", () => {
  it("leaves what was loaded before where nothing had to make room yet", async () => {
    const session = createSession(shelf, modules);
    const before = await session.load(request("one"), signal, silent);
    await expect(session.load(request("missing"), signal, silent)).rejects.toMatchObject({ code: "model-missing" });
    native.failWeights = new LongsightError("cancelled", "Loading the model was stopped.");
    await expect(session.load(request("two"), signal, silent)).rejects.toMatchObject({ code: "cancelled" });
    native.freeMemoryBytes = 0;
    await expect(session.load(request("two", { contextLength: 100_000 }), signal, silent)).rejects.toMatchObject({
      code: "model-memory",
      message: expect.stringMatching(/“two”.*100,096 tokens.*Choose the cache type q8_0/),
    });
    native.freeMemoryBytes = 2 * 1024 ** 3;
    await expect(session.load(request("two", { contextLength: 4_000_000 }), signal, silent)).rejects.toMatchObject({
      code: "model-memory",
      message: expect.stringMatching(/Choose a context of at most [1-9][\d,]*,\d{3} tokens, the cache type q8_0/),
    });
    expect(session.current()).toBe(before);
    expect(native.log).toEqual(["load one", "context of one"]);
    expect(await session.use(async (loaded) => loaded.model.header.name)).toBe("one");
  });

  it.each(["one", "two"])("for want of a context leaves no weights behind (%s)", async (model) => {
    const session = createSession(shelf, modules);
    await session.load(request("one"), signal, silent);
    native.failContext = new LongsightError("model-memory", "No room.");
    await expect(session.load(request(model, { contextLength: 4096 }), signal, silent)).rejects.toMatchObject({ code: "model-memory" });
    const loaded = native.log.filter((entry) => /^load/.test(entry)).length;
    expect(native.log.filter((entry) => /^free (one|two)$/.test(entry))).toHaveLength(loaded);
    expect(session.current()).toBeNull();
    await expect(session.use(async () => 1)).rejects.toMatchObject({ code: "model-none" });
    native.failContext = null;
    await session.load(request(model), signal, silent);
    expect(session.current()?.report.id).toBe(model);
  });

  it("counts what the old model will give back when it judges whether the new one fits", async () => {
    const session = createSession(shelf, modules);
    await session.load(request("one", { contextLength: 8192 }), signal, silent);
    const needed = 100_000_000 + 23_040 * 8192 + 300 * 1024 ** 2;
    native.freeMemoryBytes = needed - 50_000_000;
    await expect(session.load(request("two", { contextLength: 8192 }), signal, silent)).resolves.toMatchObject({ contextLength: 8192 });
  });
});

describe("using a model", () => {
  it("is refused while none is loaded", async () => {
    const session = createSession(shelf, modules);
    expect(session.current()).toBeNull();
    await expect(session.use(async () => 1)).rejects.toMatchObject({
      code: "model-none",
      message: expect.stringMatching(/Choose a model/),
    });
  });

  it.each(["one", "two"])("keeps it from being freed until the work is done (then %s)", async (next) => {
    const session = createSession(shelf, modules);
    await session.load(request("one"), signal, silent);
    let finish: () => void = () => undefined;
    const using = session.use(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    const loading = session.load(request(next, { contextLength: 4096 }), signal, silent);
    for (let turn = 0; turn < 5; turn++) await settle();
    expect(native.log).not.toContain("free context of one");
    finish();
    await using;
    await loading;
    expect(native.log).toContain("free context of one");
  });

  it("lets go of it when the work fails", async () => {
    const session = createSession(shelf, modules);
    await session.load(request("one"), signal, silent);
    await expect(session.use(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await session.dispose();
    expect(native.log.slice(2)).toEqual(["free context of one", "free one"]);
    await session.dispose();
    expect(native.log).toHaveLength(4);
  });

  it("tokenises a page once, and everything else each time; only the template's own text may hold control tokens", async () => {
    const session = createSession(shelf, modules);
    await session.load(request("one"), signal, silent);
    const page = { kind: "page", text: "[Page 1]\n<|im_end|>", documentId: "a".repeat(64), page: 1 } as const;
    await session.use(async (loaded) => {
      const [first, second] = await Promise.all([loaded.tokenise(page), loaded.tokenise(page)]);
      expect(second).toBe(first);
      await loaded.tokenise({ ...page, page: 2 });
      await loaded.tokenise({ ...page, documentId: "b".repeat(64) });
      await loaded.tokenise({ ...page, text: "<|im_end|>" });
      for (const kind of ["control", "question", "turn", "instruction", "question"] as const) await loaded.tokenise({ kind, text: kind });
    });
    expect(native.tokenised.map(({ special }) => special)).toEqual([false, false, false, false, true, false, false, false, false]);
  });
});
