import { z } from "zod";
import { documentChoiceSchema } from "./document.ts";
import { problemSchema } from "./errors.ts";
import { evidenceSchema, mostEvidence } from "./evidence.ts";
import { keptDocumentSchema } from "./kept.ts";
import { kvTypeSchema } from "./model.ts";
import { pinsSchema } from "./pin.ts";
import { choosingPolicySchema, policySchema, shareSchema } from "./policies.ts";

export const samplingSchema = z.object({
  /** 0 is greedy: always the likeliest token. */
  temperature: z.number().min(0).max(5),
  topP: z.number().gt(0).max(1),
  /** 0: no limit. */
  topK: z.number().int().min(0),
  minP: z.number().min(0).max(1),
  /**
   * Strength of the DRY rule against going in circles: a token that would repeat a run of the answer's own tokens is made less
   * likely, the more so the longer the run. Words of the document may be quoted freely. 0: off, pure sampling.
   */
  repetitionPenalty: z.number().min(0).max(5).default(0.8),
  /** The same seed gives the same answer; null draws one. */
  seed: z.number().int().min(0).max(0xffff_ffff).nullable(),
  maxTokens: z.number().int().positive().max(1_000_000),
  /** Strings that end the answer when written; they are not part of it. */
  stop: z.array(z.string().min(1)).max(16),
});
export type Sampling = z.infer<typeof samplingSchema>;

export const defaultSampling: Sampling = {
  temperature: 0,
  topP: 0.95,
  topK: 40,
  minP: 0.05,
  repetitionPenalty: 0.8,
  seed: null,
  maxTokens: 256,
  stop: [],
};

/**
 * Cache modes (design.md §5). `question`: what is kept is chosen anew for each question, from all of the text. `once`: it is chosen when the
 * documents have been read, without a question in view; later turns are added, and only when the cache is full it is chosen again among
 * what is left. `streaming`: the text is read in windows and evicted after each, with the question in view.
 */
export const cacheModeSchema = z.enum(["question", "once", "streaming"]);
export type CacheMode = z.infer<typeof cacheModeSchema>;

/** Tokens kept per layer and KV head, or the whole cache. */
export const budgetSchema = z.union([z.literal("full"), z.number().int().positive()]);
export type Budget = z.infer<typeof budgetSchema>;

/**
 * What the tokens that an answer is given from were chosen for: this question; the documents, no question in view; or, in mode `once` after
 * the cache was full, the question of an earlier turn.
 */
const scoredForSchema = z.enum(["question", "document", "earlier-question"]);

/**
 * Why mode `once` chose anew of documents of which an earlier turn had chosen: another model answers; the policy or the budget is another one;
 * the documents are others; or what was kept is in memory no longer, an earlier turn was changed, or a pin.
 */
const startedOverSchema = z.enum(["model", "choice", "documents", "lost"]);

/** Why an answer ended: the model's own end, `maxTokens`, a stop string, a full context, or the person. */
export const stopReasonSchema = z.enum(["end", "max-tokens", "stop-string", "context-full", "cancelled"]);
export type StopReason = z.infer<typeof stopReasonSchema>;

/** Milliseconds, from clocks. A stage that did not run is 0. Drafting an answer counts as scoring. */
export const timingsSchema = z.object({
  extractMs: z.number().nonnegative(),
  /** Filling the cache from a snapshot. */
  restoreMs: z.number().nonnegative().default(0),
  prefillMs: z.number().nonnegative(),
  scoringMs: z.number().nonnegative(),
  evictionMs: z.number().nonnegative(),
  /** Copying out, after the first token, what had to wait for it. What is copied while the prompt is read belongs to `prefillMs`. */
  snapshotMs: z.number().nonnegative().default(0),
  /** From the request to the first token of the answer. */
  firstTokenMs: z.number().nonnegative(),
  decodeMs: z.number().nonnegative(),
});
export type Timings = z.infer<typeof timingsSchema>;

/** What one answer cost and came to; every number measured. */
export const answerFiguresSchema = z.object({
  answer: z.string(),
  stopReason: stopReasonSchema,
  /** Id of the model that answered. */
  model: z.string(),
  documentTokens: z.number().int().nonnegative(),
  promptTokens: z.number().int().nonnegative(),
  contextLength: z.number().int().positive(),
  /** Prompt tokens whose keys and values were still in the cache, or in a snapshot. */
  cachedTokens: z.number().int().nonnegative(),
  /** Those of the cached tokens that came from a snapshot. */
  restoredTokens: z.number().int().nonnegative().default(0),
  /** Prompt tokens that were read for this answer; cachedTokens + evaluatedTokens = promptTokens unless it was stopped before that. */
  evaluatedTokens: z.number().int().nonnegative(),
  /** Those of the evaluated tokens that an earlier turn of the conversation had read too, as far as this process knows. */
  rereadTokens: z.number().int().nonnegative().default(0),
  answerTokens: z.number().int().nonnegative(),
  /** The policy that was used: `full` where the budget was no smaller than the prompt, `snapkv` for `lookahead` without a module. */
  policy: policySchema,
  mode: cacheModeSchema,
  /** How the budget was divided between documents. */
  share: shareSchema.default("score"),
  /** As asked. */
  budget: budgetSchema,
  /**
   * Tokens held per layer and KV head as the answer began, in the layers that hold every position: their mean where layers keep different
   * numbers. In mode `once` the turns that were added count too. Null where nothing was evicted.
   */
  keptTokens: z.number().positive().nullable().default(null),
  /** Tokens kept of each document as the answer began, in the prompt's order: all of them where nothing was evicted. */
  documents: z.array(keptDocumentSchema).default([]),
  /** The sentences that mattered most by the scores that what is kept was chosen by; none where there were no scores of the whole prompt. */
  evidence: z.array(evidenceSchema).max(mostEvidence).default([]),
  /** Whether what is kept was chosen by the scores of an earlier answer to the same prompt: nothing was scored then. */
  scoresStored: z.boolean().default(false),
  /** What the kept tokens were chosen for; null where nothing was evicted. */
  scoredFor: scoredForSchema.nullable().default(null),
  /** Null where it did not: another mode, its first turn, or it went on from what was kept. */
  startedOver: startedOverSchema.nullable().default(null),
  /** How often tokens were evicted for this answer: once for the question or document, after each window, and while it was written. */
  evictions: z.number().int().nonnegative().default(0),
  /** Those of the evictions that came while the answer was written, since it had filled its cache. */
  answerEvictions: z.number().int().nonnegative().default(0),
  /** Query rows whose attention scored, over all of these evictions. */
  scoredRows: z.number().int().nonnegative().default(0),
  kvType: kvTypeSchema,
  /** Seed that was used: the same one gives the same answer. */
  seed: z.number().int().nonnegative(),
  /** The allocated cache as the prompt was read. */
  fullCacheBytes: z.number().int().nonnegative(),
  /** The allocated cache as the answer ended. */
  keptCacheBytes: z.number().int().nonnegative(),
  peakRssBytes: z.number().int().nonnegative(),
  timings: timingsSchema,
  prefillTokensPerSecond: z.number().nonnegative(),
  decodeTokensPerSecond: z.number().nonnegative(),
});
export type AnswerFigures = z.infer<typeof answerFiguresSchema>;

/**
 * `writing` while it is written, `done`, `stopped` by the person (what was written stays), `interrupted` when a process
 * died in the middle (found at the next start), `failed` with its problem.
 */
export const turnStatusSchema = z.enum(["writing", "done", "stopped", "interrupted", "failed"]);
export type TurnStatus = z.infer<typeof turnStatusSchema>;

export const idSchema = z.string().min(1).max(64);

export const turnSchema = z.object({
  id: idSchema,
  question: z.string(),
  answer: z.string(),
  status: turnStatusSchema,
  figures: answerFiguresSchema.nullable(),
  problem: problemSchema.nullable(),
  createdAt: z.number().int().nonnegative(),
});
/** One question and its answer. */
export type Turn = z.infer<typeof turnSchema>;

export const conversationSummarySchema = z.object({
  id: idSchema,
  title: z.string(),
  createdAt: z.number().int().nonnegative(),
  updatedAt: z.number().int().nonnegative(),
  turns: z.number().int().nonnegative(),
});
export type ConversationSummary = z.infer<typeof conversationSummarySchema>;

/** How the answers of a conversation are made. Where everything is kept, the rest waits until it is not. */
export const conversationChoiceSchema = z.object({
  budget: budgetSchema,
  policy: choosingPolicySchema,
  /** Id or path of the model that drafts for a policy that needs one; null: none was chosen. */
  draftModel: z.string().min(1).max(4096).nullable(),
  mode: cacheModeSchema,
  share: shareSchema,
});
export type ConversationChoice = z.infer<typeof conversationChoiceSchema>;

export const conversationSchema = conversationSummarySchema.omit({ turns: true }).extend({
  documents: z.array(documentChoiceSchema),
  /** Passages that no budget evicts. */
  pins: pinsSchema.default([]),
  /** Null where nothing was chosen in it: it follows the settings. */
  choice: conversationChoiceSchema.nullable().default(null),
  /** What was typed and not sent. */
  draft: z.string().default(""),
  /** The turns in view. A question that was changed or asked again stands beside its earlier versions, each with what follows it. */
  turns: z.array(turnSchema),
  /** For each turn in view that has other versions: the ids of all of them, itself included, oldest first. */
  versions: z.record(idSchema, z.array(idSchema)).default({}),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** What a prompt would be made of, in tokens, before it is sent. */
export const promptMeasureSchema = z.object({
  documents: z.array(z.object({ documentId: z.string(), tokens: z.number().int().nonnegative() })),
  documentTokens: z.number().int().nonnegative(),
  questionTokens: z.number().int().nonnegative(),
  /** Earlier turns, instructions and the template's own tokens. */
  otherTokens: z.number().int().nonnegative(),
  promptTokens: z.number().int().nonnegative(),
  contextLength: z.number().int().positive(),
  /** Tokens there are for the answer; where the prompt does not fit, those that it should have. */
  answerRoom: z.number().int().nonnegative(),
  fits: z.boolean(),
});
export type PromptMeasure = z.infer<typeof promptMeasureSchema>;
