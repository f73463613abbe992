import { resolve } from "node:path";
import type { PromptMeasure } from "../contract/conversation.ts";
import type { DocumentChoice, DocumentSummary } from "../contract/document.ts";
import { LongsightError } from "../contract/errors.ts";
import { roundContext } from "../contract/fit.ts";
import type { LoadedModel } from "../contract/model.ts";
import type { CallOptions } from "../engine/callOptions.ts";
import { parsePageRange } from "../engine/documents/pages.ts";
import type { Engine } from "../engine/engine.ts";
import { batchTokens } from "../engine/llama/context.ts";
import type { ReadingOptions } from "./arguments.ts";
import type { Output } from "./output.ts";

/** The model that answers where none is named: the embedded one. */
export async function defaultModel(engine: Engine, call: CallOptions): Promise<string> {
  const first = (await engine.call("listModels", {}, call))[0];
  if (first === undefined)
    throw new LongsightError("model-missing", "No model is installed. Run `npm start` once: it fetches the embedded one.");
  return first.id;
}

/** Reads a file. Its tokens are not counted while no model is loaded. @throws LongsightError */
export function openDocument(
  engine: Engine,
  file: string,
  { password }: Pick<ReadingOptions, "password">,
  call: CallOptions,
): Promise<DocumentSummary> {
  return engine.call("openDocument", { path: resolve(file), ...(password === undefined ? {} : { password }) }, call);
}

/** A document that was opened before the model was loaded, with its tokens. @throws LongsightError */
export function countTokens(
  engine: Engine,
  file: string,
  options: Pick<ReadingOptions, "password">,
  { signal, emit }: CallOptions,
): Promise<DocumentSummary> {
  // Its text is known: that it is read was said already.
  const rest: CallOptions["emit"] = (event) => {
    if (event.event !== "progress" || event.stage !== "extract") emit(event);
  };
  return openDocument(engine, file, options, { signal, emit: rest });
}

/** Documents that are read, and a model with a context for them and the question. */
export type Prepared = {
  readonly documents: readonly DocumentSummary[];
  readonly choices: DocumentChoice[];
  readonly measured: PromptMeasure;
  readonly loaded: LoadedModel;
  /** Of all documents. */
  readonly extractMs: number;
};

/** The document with what its pictures say, where that is asked for and not known yet. */
async function recognised(engine: Engine, document: DocumentSummary, options: ReadingOptions, call: CallOptions): Promise<DocumentSummary> {
  const waiting = document.pages.some(({ flags }) => flags.includes("no-text") && !flags.includes("recognised"));
  if (options.recognise === undefined || document.kind !== "pdf" || !waiting) return document;
  return engine.call("recogniseText", { documentId: document.id, languages: options.recognise }, call);
}

/**
 * Opens the documents and loads the model with the context that they need. What the person has to put right is told before the model is
 * loaded, which takes longest.
 * @param room tokens of the answer, whether the prompt may be scored with a lookahead module, and what the full cache may hold
 * @param onOpened called with the documents, to refuse them before the model is loaded
 * @throws LongsightError
 */
export async function prepare(
  engine: Engine,
  { files, options }: { readonly files: readonly string[]; readonly options: ReadingOptions },
  room: { readonly answer: number; readonly scored: boolean; readonly fullCacheTokens?: number | null },
  output: Output,
  call: CallOptions,
  onOpened: (documents: readonly DocumentSummary[]) => void = () => undefined,
): Promise<Prepared> {
  const model = options.model ?? (await defaultModel(engine, call));
  await engine.call("inspectModel", { model }, call);
  const extracting = performance.now();
  const opened: DocumentSummary[] = [];
  for (const file of files) {
    opened.push(await recognised(engine, await openDocument(engine, file, options, call), options, call));
  }
  const extractMs = Math.round((performance.now() - extracting) * 10) / 10;
  const choices = opened.map(({ id, name, pages }) => ({
    documentId: id,
    pages: options.pages === undefined ? null : parsePageRange(options.pages, pages.length, name),
  }));
  onOpened(opened);

  const threads = options.threads ?? null;
  const load = (contextLength: number) =>
    engine.call(
      "loadModel",
      { model, contextLength, kvType: options["kv-type"], threads, fullCacheTokens: room.fullCacheTokens ?? null },
      call,
    );
  // Counting needs the model, the context's length needs the count: a small context first, then the one the prompt needs.
  let loaded = await load(options.context ?? 256);
  if (options.context !== undefined && loaded.contextLength !== options.context) {
    const [asked, used] = [options.context, loaded.contextLength].map((tokens) => tokens.toLocaleString("en"));
    output.notice(`The context holds ${used} tokens: ${asked} is rounded up to a multiple of 256.`);
  }

  const documents: DocumentSummary[] = [];
  for (const file of files) {
    const document = await countTokens(engine, file, options, call);
    documents.push(document);
    output.event({ event: "document", ...document });
    for (const notice of document.notices) output.notice(notice);
  }
  const measured = await engine.call(
    "measurePrompt",
    { conversationId: null, documents: choices, question: options.question, replaceTurnId: null, maxTokens: room.answer },
    call,
  );
  if (options.context === undefined) {
    const longest = roundContext(loaded.report.trainedContextLength);
    // A lookahead module has a batch of rows at most, which stand behind the prompt while it is scored. A longer context costs nothing
    // where tokens are evicted: the cache it is read into gets just the cells that it needs.
    const behind = room.scored ? Math.max(room.answer, batchTokens) : room.answer;
    loaded = await load(Math.min(longest, roundContext(measured.promptTokens + behind)));
  }
  for (const notice of loaded.notices) output.notice(notice);
  return { documents, choices, measured, loaded, extractMs };
}
