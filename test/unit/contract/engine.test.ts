import { describe, expect, it } from "vitest";
import { defaultSampling } from "../../../electron/contract/conversation.ts";
import { engineCallSchema, engineContract, engineEventSchema, engineInboxSchema } from "../../../electron/contract/engine.ts";

const ask = {
  conversationId: "c1",
  question: "Why?",
  replaceTurnId: null,
  sampling: defaultSampling,
  budget: "full",
  policy: "full",
  mode: "question",
};

describe("a call", () => {
  it.each(["toString", "constructor", "__proto__", "hasOwnProperty", "", "Ask", "ask "])("by the name %j is none", (method) => {
    expect(engineCallSchema.safeParse({ method, payload: {} }).success).toBe(false);
  });

  it("goes by each name of the contract", () => {
    for (const method of Object.keys(engineContract))
      expect(engineCallSchema.parse({ method, payload: 1 })).toEqual({ method, payload: 1 });
  });
});

describe("a question", () => {
  const { request } = engineContract.ask;

  it("is taken without the white space around it", () => {
    expect(request.parse({ ...ask, question: "  Why?\n" })).toEqual({ ...ask, draftModel: null, share: "score" });
  });

  it.each([
    ["question", ""],
    ["question", " \n\t"],
    ["question", "x".repeat(2_000_001)],
    ["question", null],
    ["conversationId", ""],
    ["conversationId", "x".repeat(65)],
    ["replaceTurnId", undefined],
    ["budget", 0],
    ["budget", 1.5],
    ["budget", "half"],
    ["policy", "magic"],
    ["policy", "oracle"],
    ["draftModel", ""],
    ["mode", "sometimes"],
    ["sampling", undefined],
    ["sampling", { ...defaultSampling, temperature: -0.1 }],
    ["sampling", { ...defaultSampling, temperature: Number.NaN }],
    ["sampling", { ...defaultSampling, topP: 0 }],
    ["sampling", { ...defaultSampling, topK: 0.5 }],
    ["sampling", { ...defaultSampling, minP: 1.01 }],
    ["sampling", { ...defaultSampling, seed: 2 ** 32 }],
    ["sampling", { ...defaultSampling, seed: -1 }],
    ["sampling", { ...defaultSampling, repetitionPenalty: -1 }],
    ["sampling", { ...defaultSampling, maxTokens: 0 }],
    ["sampling", { ...defaultSampling, maxTokens: Number.POSITIVE_INFINITY }],
    ["sampling", { ...defaultSampling, stop: [""] }],
    ["sampling", { ...defaultSampling, stop: Array.from({ length: 17 }, String) }],
  ])("with %s %j is refused", (field, value) => {
    expect(request.safeParse({ ...ask, [field]: value }).success).toBe(false);
  });

  it("may carry any budget, policy and mode that will come", () => {
    for (const over of [{ budget: 128 }, { policy: "lookahead" }, { mode: "once" }])
      expect(request.parse({ ...ask, ...over })).toMatchObject(over);
  });
});

describe("documents of a conversation", () => {
  const { request } = engineContract.createConversation;
  const documentId = "0123456789abcdef".repeat(4);

  it("are known by their hash, whole or by pages", () => {
    const documents = [
      { documentId, pages: null },
      { documentId, pages: [1, 30] },
    ];
    expect(request.parse({ documents })).toEqual({ documents });
  });

  it.each([
    { documentId: "../../secret", pages: null },
    { documentId: documentId.toUpperCase(), pages: null },
    { documentId: `${documentId}0`, pages: null },
    { documentId, pages: [] },
    { documentId, pages: [0] },
    { documentId, pages: [1.5] },
    { documentId },
  ])("as %j are refused", (choice) => {
    expect(request.safeParse({ documents: [choice] }).success).toBe(false);
  });
});

describe("loading a model", () => {
  const { request } = engineContract.loadModel;
  const load = { model: "smollm2", contextLength: null, kvType: "f16", threads: null };

  it.each([
    ["model", ""],
    ["model", "x".repeat(4097)],
    ["contextLength", 255],
    ["contextLength", 2 ** 40],
    ["kvType", "f32"],
    ["threads", 0],
    ["threads", 513],
    ["gpuLayers", -1],
    ["gpuLayers", 513],
  ])("with %s %j is refused", (field, value) => {
    expect(request.parse(load)).toEqual({ ...load, fullCacheTokens: null, gpuLayers: null });
    expect(request.safeParse({ ...load, [field]: value }).success).toBe(false);
  });
});

describe("events", () => {
  const progress = { event: "progress", stage: "prefill", fraction: 0.5, done: 1, total: 2, secondsLeft: null };

  it("are told apart by their name", () => {
    expect(engineEventSchema.parse(progress)).toEqual(progress);
    expect(engineEventSchema.parse({ event: "token", text: "" })).toEqual({ event: "token", text: "" });
    expect(engineEventSchema.safeParse({ event: "shell", command: "x" }).success).toBe(false);
  });

  it.each([
    { ...progress, fraction: 1.01 },
    { ...progress, fraction: -0.1 },
    { ...progress, stage: "dreaming" },
    { ...progress, secondsLeft: -1 },
    { ...progress, secondsLeft: Number.POSITIVE_INFINITY },
    { event: "token" },
    { event: "turn", turn: {} },
    { event: "error", problem: { code: "usage" } },
    null,
  ])("as %j are refused", (event) => {
    expect(engineEventSchema.safeParse(event).success).toBe(false);
  });

  it("of the engine's own port are three", () => {
    const start = { dataFolder: "/data", modelFolders: ["/a folder"], version: "1" };
    expect(engineInboxSchema.parse({ kind: "start", start })).toEqual({ kind: "start", start: { ...start, moduleFolders: [] } });
    const withModules = { ...start, moduleFolders: ["/modules"] };
    expect(engineInboxSchema.parse({ kind: "start", start: withModules })).toEqual({ kind: "start", start: withModules });
    expect(engineInboxSchema.parse({ kind: "quit" })).toEqual({ kind: "quit" });
    expect(engineInboxSchema.safeParse({ kind: "start", start: { ...start, dataFolder: "" } }).success).toBe(false);
    expect(engineInboxSchema.safeParse({ kind: "evaluate" }).success).toBe(false);
  });
});
