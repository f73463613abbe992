import { z } from "zod";
import { offeredModelSchema, testCatalogueSchema } from "./catalogue.ts";
import { comparisonSchema } from "./comparison.ts";
import {
  answerFiguresSchema,
  budgetSchema,
  cacheModeSchema,
  conversationChoiceSchema,
  conversationSchema,
  conversationSummarySchema,
  idSchema,
  promptMeasureSchema,
  samplingSchema,
  turnSchema,
} from "./conversation.ts";
import {
  documentChoiceSchema,
  documentIdSchema,
  documentOutlineSchema,
  documentSummarySchema,
  libraryEntrySchema,
  pageTextSchema,
  recognitionLanguageSchema,
  thumbnailSchema,
} from "./document.ts";
import { problemSchema } from "./errors.ts";
import { citationSchema, exportedSchema, exportFormatSchema } from "./export.ts";
import { heatmapSchema, importanceSchema, layerHeadSchema } from "./heatmap.ts";
import { keptPreviewSchema, reselectedSchema } from "./kept.ts";
import { languageSchema } from "./language.ts";
import { memorySchema } from "./memory.ts";
import { engineAboutSchema, gpuLayersSchema, kvTypeSchema, loadedModelSchema, modelReportSchema, unusableModelSchema } from "./model.ts";
import { listedPinSchema, pinSchema, pinsSchema } from "./pin.ts";
import { choosingPolicySchema, policySchema, shareSchema } from "./policies.ts";
import { saidSchema } from "./said.ts";
import { conversationHitsSchema, documentHitsSchema, searchTextSchema } from "./search.ts";
import { snapshotBudgetSchema, snapshotFormSchema, snapshotUsageSchema } from "./snapshots.ts";

const pathSchema = z.string().min(1).max(4096);
const catalogueIdSchema = z.string().min(1).max(200);
const nothingSchema = z.object({});
/**
 * The model that drafts an answer for a policy that needs one (`speckv`), as an id or a path: smaller than the one that answers. It is
 * loaded for the draft and freed after it. Null for every other policy.
 */
const draftModelSchema = pathSchema.nullable().default(null);
/** Another choice from the last answer's prompt in a conversation. */
const reselectSchema = z.object({
  conversationId: idSchema,
  budget: z.number().int().positive(),
  policy: choosingPolicySchema,
  draftModel: draftModelSchema,
  share: shareSchema.default("score"),
});

/**
 * Every request to the engine with what comes back in the end. A request's stream is: any number of `progress`, `token`, `turn`, `outline`
 * and `notice` events, then exactly one `result` or `error`. Closing the port cancels.
 */
export const engineContract = {
  about: { request: nothingSchema, result: engineAboutSchema },

  /** What memory is in use now. Does not wait for an answer that is being written. */
  memory: { request: nothingSchema, result: memorySchema },

  listModels: { request: nothingSchema, result: z.array(modelReportSchema) },
  /** Files on the list of models that are gone, damaged, or of a kind that cannot be run, each with what to do. */
  listUnusableModels: { request: nothingSchema, result: z.array(unusableModelSchema) },
  /** Puts a GGUF on the list as a reference to its place; one that cannot be used is refused with what is wrong. */
  addModel: { request: z.object({ path: pathSchema }), result: modelReportSchema },
  /** Takes a model off the list. A file that was added stays where it is; one that was downloaded is deleted. The loaded one is refused. */
  removeModel: { request: z.object({ path: pathSchema }), result: nothingSchema },
  /** Reads a GGUF's header; loads nothing. `model` is an id or a path. */
  inspectModel: { request: z.object({ model: pathSchema }), result: modelReportSchema },
  /** The models that can be downloaded, and what of them is here. No connection is made. */
  listCatalogue: { request: nothingSchema, result: z.array(offeredModelSchema) },
  /**
   * Downloads a model of the catalogue, by its id, or goes on with what is there of it; main has asked the person first. Events: `progress`.
   * A cancel pauses: what has arrived is kept.
   */
  downloadModel: { request: z.object({ id: catalogueIdSchema }), result: modelReportSchema },
  /** Deletes what is there of a download that was not finished. */
  discardDownload: { request: z.object({ id: catalogueIdSchema }), result: nothingSchema },
  /** Makes this the model that answers; a model that is loaded the same way already is kept. */
  loadModel: {
    request: z.object({
      model: pathSchema,
      /** null: the longest that the model was trained for and this machine holds comfortably. */
      contextLength: z.number().int().min(256).max(4_194_304).nullable(),
      kvType: kvTypeSchema,
      /** null: chosen for this machine. */
      threads: z.number().int().min(1).max(512).nullable(),
      /**
       * Tokens that the full cache may hold, which is what takes memory; null: as many as the context. With fewer, what is longer can be read
       * in mode `streaming` alone.
       */
      fullCacheTokens: z.number().int().min(256).max(4_194_304).nullable().default(null),
      gpuLayers: gpuLayersSchema.default(null),
    }),
    result: loadedModelSchema,
  },
  /** The model that answers now, or null. */
  currentModel: { request: nothingSchema, result: loadedModelSchema.nullable() },

  /**
   * Reads a file, or takes it from memory where its bytes are the same. A locked one without its password: `document-password-needed`. Events:
   * `progress`, and `outline` as soon as a PDF's pages can be drawn, which is before their text is read.
   */
  openDocument: {
    request: z.object({ path: pathSchema, password: z.string().max(1024).optional() }),
    result: documentSummarySchema,
  },
  /** The file's bytes, for drawing its pages; also of one whose text is being read. */
  documentBytes: {
    request: z.object({ documentId: documentIdSchema }),
    result: z.object({ bytes: z.instanceof(Uint8Array), password: z.string().nullable() }),
  },
  pageText: { request: z.object({ documentId: documentIdSchema, page: z.number().int().positive() }), result: pageTextSchema },
  /**
   * Reads the text out of a PDF's pages that are pictures: those that were not yet, or all again where none is left. Events: `progress`. What
   * was done before a cancel stays done.
   */
  recogniseText: {
    request: z.object({ documentId: documentIdSchema, languages: z.array(recognitionLanguageSchema).min(1).default(["eng"]) }),
    result: documentSummarySchema,
  },
  /** A small picture of a document's first page: drawn where it is open, remembered afterwards. Null where there is none: no PDF, locked. */
  thumbnail: {
    request: z.object({ documentId: documentIdSchema }),
    result: z.object({ thumbnail: thumbnailSchema.nullable() }),
  },
  /** Documents opened before, latest first. */
  listLibrary: { request: nothingSchema, result: z.array(libraryEntrySchema) },
  /** Takes a document out of the library; its file and the conversations stay. */
  forgetDocument: { request: z.object({ documentId: documentIdSchema }), result: nothingSchema },

  listConversations: { request: nothingSchema, result: z.array(conversationSummarySchema) },
  createConversation: { request: z.object({ documents: z.array(documentChoiceSchema) }), result: conversationSchema },
  getConversation: { request: z.object({ conversationId: idSchema }), result: conversationSchema },
  setConversationDocuments: {
    request: z.object({ conversationId: idSchema, documents: z.array(documentChoiceSchema) }),
    result: conversationSchema,
  },
  /** Replaces the conversation's pins. One that is not on a chosen page, or goes beyond its text, is refused by name. */
  setPins: { request: z.object({ conversationId: idSchema, pins: pinsSchema }), result: conversationSchema },
  /** The conversation's pins with their words; a pin that fits no more (another choice of pages, a document that is not open) says why. */
  listPins: { request: z.object({ conversationId: idSchema }), result: z.array(listedPinSchema) },
  /** Where a quotation stands on the chosen pages, blanks and line ends being the same: at most 100 places, in the documents' order. */
  findPassages: {
    request: z.object({ documents: z.array(documentChoiceSchema), text: z.string().trim().min(1).max(100_000) }),
    result: z.array(pinSchema),
  },
  renameConversation: {
    request: z.object({ conversationId: idSchema, title: z.string().trim().min(1).max(200) }),
    result: conversationSchema,
  },
  /** Keeps what is typed and not sent. It is no change of the conversation, which keeps its place in the list. */
  setDraft: { request: z.object({ conversationId: idSchema, draft: z.string().max(2_000_000) }), result: nothingSchema },
  /** Remembers how a conversation's answers are made. It is no change of the conversation either; `ask` is told by its own request. */
  setChoice: { request: z.object({ conversationId: idSchema, choice: conversationChoiceSchema }), result: nothingSchema },
  /** Deletes it; an answer being written in it is stopped first. Until the engine ends this can be undone. */
  deleteConversation: { request: z.object({ conversationId: idSchema }), result: nothingSchema },
  restoreConversation: { request: z.object({ conversationId: idSchema }), result: conversationSchema },
  /** Brings another version of a question into view, with what was last in view behind it. */
  showTurn: { request: z.object({ conversationId: idSchema, turnId: idSchema }), result: conversationSchema },

  /** Where in all conversations the words of a text are: at most 100 places. */
  searchConversations: { request: z.object({ text: searchTextSchema }), result: conversationHitsSchema },
  /** Where a text stands in an open document, case, accents and blanks aside: at most 1000 places. */
  searchDocument: { request: z.object({ documentId: documentIdSchema, text: searchTextSchema }), result: documentHitsSchema },

  /** Which pages say the same as an answer in the same words, sentence by sentence. Texts are compared; the model is not asked. */
  citeAnswer: {
    request: z.object({ conversationId: idSchema, turnId: idSchema }),
    result: z.object({ citations: z.array(citationSchema) }),
  },
  /**
   * The turns in view as a file's text. `heat`, for HTML: the documents follow, shaded by their importance for the last question, which is
   * read for it as by `heatmap`. Events: `progress`.
   */
  exportConversation: {
    request: z.object({
      conversationId: idSchema,
      format: exportFormatSchema,
      /** Of what is written beside the conversation's own words. */
      language: languageSchema.default("en"),
      heat: z
        .object({
          budget: z.number().int().positive(),
          policy: choosingPolicySchema,
          draftModel: draftModelSchema,
          share: shareSchema.default("score"),
        })
        .nullable(),
    }),
    result: exportedSchema,
  },

  /** Counts what `ask` would send, with the loaded model. */
  measurePrompt: {
    request: z.object({
      conversationId: idSchema.nullable(),
      documents: z.array(documentChoiceSchema),
      question: z.string().max(2_000_000),
      /** The turn that would be replaced (edit, regenerate) and all after it do not count. */
      replaceTurnId: idSchema.nullable(),
      maxTokens: z.number().int().positive(),
    }),
    result: promptMeasureSchema,
  },
  /**
   * Answers a question. Events: `turn` (written down, before the first token), `progress`, `token`, `notice`. The prompt is never cut:
   * one that is too long is `does-not-fit` with the numbers in its message. A question asked while another is answered waits. The modes
   * `once` and `streaming` need a budget, a policy that can score by parts (policies.ts), and the share `score`.
   */
  ask: {
    request: z.object({
      conversationId: idSchema,
      question: z.string().trim().min(1).max(2_000_000),
      /** Edit or regenerate: the new turn becomes another version of this one, whose own answer and all after it stay (`showTurn`). */
      replaceTurnId: idSchema.nullable(),
      sampling: samplingSchema,
      budget: budgetSchema,
      policy: policySchema,
      draftModel: draftModelSchema,
      share: shareSchema.default("score"),
      mode: cacheModeSchema,
    }),
    result: z.object({ turn: turnSchema, figures: answerFiguresSchema }),
  },
  /**
   * Reads a prompt as `ask` would and tells what a budget would keep of it, without an answer. Events: `progress`. The full cache stays.
   */
  heatmap: {
    request: z.object({
      documents: z.array(documentChoiceSchema),
      /** Passages that are kept in any case. */
      pins: pinsSchema.default([]),
      question: z.string().trim().min(1).max(2_000_000),
      budget: z.number().int().positive(),
      policy: choosingPolicySchema,
      draftModel: draftModelSchema,
      share: shareSchema.default("score"),
      /** Of the policies that leave something to chance. */
      seed: z.number().int().min(0).max(0xffff_ffff),
    }),
    result: heatmapSchema,
  },
  /**
   * How the last answer of a conversation saw its prompt, by the scores that are in memory; `scores-missing` where there are none. With `read`
   * the prompt is then scored anew, and read anew as far as it is neither in memory nor on disk. Events: `progress`, `notice`. The full
   * cache stays.
   */
  importance: {
    request: reselectSchema.extend({ layerHead: layerHeadSchema.nullable().default(null), read: z.boolean().default(false) }),
    result: importanceSchema,
  },
  /**
   * What another budget, or another policy with the same scores, would keep of the last answer's prompt: from the stored scores alone, at
   * once. `scores-missing` where they are not in memory any more.
   */
  preview: { request: reselectSchema, result: keptPreviewSchema },
  /**
   * The same, gathered into a cache and measured. The prompt is not read again while its full cache is in memory or in a snapshot; a notice
   * says where it had to be. Events: `progress`. The full cache stays, for the answer.
   */
  reselect: { request: reselectSchema, result: reselectedSchema },
  /**
   * Answers a question twice, from the full cache and from a kept one, by the same seed; the prompt is read once. Nothing is written to the
   * conversation. Events: `progress`, whose `decode` comes twice.
   */
  compare: {
    request: z.object({
      conversationId: idSchema,
      question: z.string().trim().min(1).max(2_000_000),
      /** The turn that would be replaced, and all after it, do not count. */
      replaceTurnId: idSchema.nullable(),
      sampling: samplingSchema,
      budget: z.number().int().positive(),
      policy: choosingPolicySchema,
      draftModel: draftModelSchema,
      share: shareSchema.default("score"),
    }),
    result: comparisonSchema,
  },

  /** What is stored on disk of documents that were read, so that they need not be read again. */
  snapshotUsage: { request: nothingSchema, result: snapshotUsageSchema },
  /** Removes what is stored of a document, or (null) everything; returns what is left. */
  clearSnapshots: { request: z.object({ documentId: documentIdSchema.nullable() }), result: snapshotUsageSchema },
  /** Changes the room on disk or the form; what is left out stays. Remembered beside the snapshots. A smaller room is made at once. */
  configureSnapshots: {
    request: z.object({ budgetBytes: snapshotBudgetSchema.optional(), form: snapshotFormSchema.optional() }),
    result: snapshotUsageSchema,
  },
} as const satisfies Record<string, { request: z.ZodObject; result: z.ZodType }>;

export type EngineMethod = keyof typeof engineContract;
export type EngineRequestOf<Method extends EngineMethod> = z.input<(typeof engineContract)[Method]["request"]>;
export type EngineResultOf<Method extends EngineMethod> = z.output<(typeof engineContract)[Method]["result"]>;

/** What crosses when a request starts; `payload` is parsed by its method's own schema at the engine's door. */
export const engineCallSchema = z.object({
  method: z.string().refine((name): name is EngineMethod => Object.hasOwn(engineContract, name), "no such request"),
  payload: z.unknown(),
});
export type EngineCall = z.infer<typeof engineCallSchema>;

/**
 * The stages a wait can be in, in the order of design.md §1; `wait`: another answer is being written first.
 * `download` a model (in bytes) and `verify` that it is the one that was meant; `load` the model, `extract` text from a document, `recognise` it in pictures of pages (in hundredths of a page), `tokenise` it, `restore` what a snapshot has of the prompt, then the four stages of
 * one answer; `draft`: a policy that scores by a draft of the answer has it written, before `scoring`.
 */
export const stageSchema = z.enum([
  "wait",
  "download",
  "verify",
  "load",
  "extract",
  "recognise",
  "tokenise",
  "restore",
  "prefill",
  "draft",
  "scoring",
  "eviction",
  "decode",
]);
export type Stage = z.infer<typeof stageSchema>;

export const progressEventSchema = z.object({
  event: z.literal("progress"),
  stage: stageSchema,
  /** 0 … 1, never smaller than before within a stage. */
  fraction: z.number().min(0).max(1),
  /** Units done and in all: bytes, pages or tokens by stage. */
  done: z.number().nonnegative(),
  total: z.number().nonnegative(),
  /** Seconds this stage still needs, estimated from its own speed; null while too little is known. */
  secondsLeft: z.number().nonnegative().nullable(),
});
export type ProgressEvent = z.infer<typeof progressEventSchema>;

export const tokenEventSchema = z.object({ event: z.literal("token"), text: z.string() });

export const engineEventSchema = z.discriminatedUnion("event", [
  progressEventSchema,
  tokenEventSchema,
  z.object({ event: z.literal("turn"), turn: turnSchema }),
  z.object({ event: z.literal("outline"), outline: documentOutlineSchema }),
  /** Something to know that is no error: the answer goes on. */
  z.object({ event: z.literal("notice"), message: z.string().min(1), said: saidSchema }),
  z.object({ event: z.literal("result"), result: z.unknown() }),
  z.object({ event: z.literal("error"), problem: problemSchema }),
]);
export type EngineEvent = z.infer<typeof engineEventSchema>;

/** The events that may come before the end of a stream. */
export type StreamEvent = Extract<EngineEvent, { event: "progress" | "token" | "turn" | "outline" | "notice" }>;

/** What main tells the engine process at its start and later, outside of requests. */
export const engineStartSchema = z.object({
  dataFolder: pathSchema,
  /** Where models are kept (set-up's cache folder, or the packaged app's resources). */
  modelFolders: z.array(pathSchema),
  /** Where lookahead modules are kept; a folder that is missing is an empty one. */
  moduleFolders: z.array(pathSchema).default([]),
  version: z.string(),
  testCatalogue: testCatalogueSchema.optional(),
});
export type EngineStart = z.infer<typeof engineStartSchema>;

/** Messages on the engine process's own port. A `call` comes with one MessagePort. */
export const engineInboxSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("start"), start: engineStartSchema }),
  z.object({ kind: z.literal("call"), call: z.unknown() }),
  z.object({ kind: z.literal("quit") }),
  /** Answered by `pong` as soon as the engine's event loop turns: how main knows a hung engine from a busy one. */
  z.object({ kind: z.literal("ping") }),
]);
export type EngineInbox = z.infer<typeof engineInboxSchema>;

export const engineOutboxSchema = z.discriminatedUnion("kind", [
  /** `notice`: what the engine found at its start that the person should be told, once; `said`: the same by name. */
  z.object({ kind: z.literal("ready"), notice: z.string().min(1).optional(), said: saidSchema }),
  z.object({ kind: z.literal("failed"), problem: problemSchema }),
  /** An answer or a document is being worked on: main asks before it quits. */
  z.object({ kind: z.literal("busy"), busy: z.boolean() }),
  z.object({ kind: z.literal("quitted") }),
  z.object({ kind: z.literal("pong") }),
]);
export type EngineOutbox = z.infer<typeof engineOutboxSchema>;
