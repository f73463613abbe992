import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { z } from "zod";
import { type Budget, type CacheMode, defaultSampling, type Sampling } from "../../../electron/contract/conversation.ts";
import type { EngineMethod, EngineResultOf, engineContract, StreamEvent } from "../../../electron/contract/engine.ts";
import type { Policy, Share } from "../../../electron/contract/policies.ts";
import { createEngine, type Engine } from "../../../electron/engine/engine.ts";
import { cacheFolder } from "../../../electron/engine/folders.ts";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
export const modelFolder = process.env["LONGSIGHT_MODELS"] ?? join(cacheFolder(process.env, process.platform), "models");
export const smolPath = join(modelFolder, "SmolLM2-135M-Instruct.Q8_0.gguf");
export const smol = "smollm2-135m-instruct";
/** The folder with the real documents, see shared/data/SOURCES.md. */
export const dataFolder = process.env["LONGSIGHT_DATA"] ?? join(root, "..", "shared", "data");

type RequestOf<Method extends EngineMethod> = z.input<(typeof engineContract)[Method]["request"]>;

/** An engine with a folder of its own, called the way the window calls it. */
export type TestEngine = {
  readonly engine: Engine;
  readonly folder: string;
  call<Method extends EngineMethod>(
    method: Method,
    payload: RequestOf<Method>,
    options?: { signal?: AbortSignal; onEvent?: (event: StreamEvent) => void },
  ): Promise<EngineResultOf<Method>>;
  /** Writes a text document into the folder and opens it. */
  openText(name: string, text: string): Promise<EngineResultOf<"openDocument">>;
  /** A conversation about these documents. */
  converse(documentIds: readonly string[]): Promise<string>;
  ask(
    conversationId: string,
    question: string,
    options?: {
      sampling?: Partial<Sampling>;
      budget?: Budget;
      policy?: Policy;
      draftModel?: string;
      share?: Share;
      mode?: CacheMode;
      replaceTurnId?: string;
      signal?: AbortSignal;
      onEvent?: (event: StreamEvent) => void;
    },
  ): Promise<EngineResultOf<"ask">>;
  dispose(): Promise<void>;
};

/** @param options.folder of an engine that has ended: what it wrote down is found again */
export async function startEngine(
  load?: Partial<RequestOf<"loadModel">>,
  options: { moduleFolders?: string[]; snapshotFolder?: string | null; folder?: string } = {},
): Promise<TestEngine> {
  const { moduleFolders = [], snapshotFolder = null } = options;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "longsight “engine” Ž-")));
  const engine = createEngine({
    dataFolder: folder,
    modelFolders: [modelFolder],
    moduleFolders,
    version: "0.0.0-test",
    documentWorker: join(root, "out", "engine", "pdfWorker.cjs"),
    snapshotFolder,
  });
  const call: TestEngine["call"] = (method, payload, options = {}) =>
    engine.call(method, payload, { signal: options.signal ?? new AbortController().signal, emit: options.onEvent ?? (() => undefined) });
  if (load !== undefined) await call("loadModel", { model: smol, contextLength: 4096, kvType: "f16", threads: null, ...load });
  return {
    engine,
    folder,
    call,
    async openText(name, text) {
      const path = join(folder, name);
      await writeFile(path, text);
      return call("openDocument", { path });
    },
    async converse(documentIds) {
      const conversation = await call("createConversation", { documents: documentIds.map((documentId) => ({ documentId, pages: null })) });
      return conversation.id;
    },
    ask(
      conversationId,
      question,
      { sampling = {}, budget = "full", policy = "full", draftModel, mode = "question", share = "score", replaceTurnId, ...options } = {},
    ) {
      return call(
        "ask",
        {
          conversationId,
          question,
          replaceTurnId: replaceTurnId ?? null,
          sampling: { ...defaultSampling, maxTokens: 32, ...sampling },
          budget,
          policy,
          draftModel: draftModel ?? null,
          share,
          mode,
        },
        options,
      );
    },
    async dispose() {
      await engine.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const facts = [
  "The harbour light was built in 1874 from grey granite and stands on the northern rock.",
  "Ships leaving after dusk report to the keeper by signal lamp and wait for two short flashes.",
  "The keeper writes the wind, the tide and the names of passing ships into a bound book each evening.",
  "Oil for the lamp comes by boat every second week, in barrels of sixty litres.",
  "In winter the stairs are salted twice a day because spray freezes on the iron steps.",
];

/** Plain English of about `tokens` tokens, the same for the same number, with a code in it. */
export function storyOf(tokens: number, code = "481516"): string {
  const sentences: string[] = [`The code of the harbour light is ${code}.`];
  // A sentence of these has about twenty tokens.
  for (let index = 0; index < tokens / 20; index++) sentences.push(`${facts[index % facts.length] ?? ""} (Entry ${index + 1}.)`);
  return sentences.join(" ");
}
