import { z } from "zod";
import { budgetSchema } from "./conversation.ts";
import { keptDocumentSchema } from "./kept.ts";
import { choosingPolicySchema } from "./policies.ts";

const words = z.custom<Uint32Array>((value) => value instanceof Uint32Array, "a Uint32Array");
const halves = z.custom<Uint16Array>((value) => value instanceof Uint16Array, "a Uint16Array");
const floats = z.custom<Float32Array>((value) => value instanceof Float32Array, "a Float32Array");

/** A run of the prompt's text whose tokens follow each other. */
export const heatmapPartSchema = z.object({
  kind: z.enum(["control", "instruction", "turn", "question", "page"]),
  /** Null unless `page`. */
  documentId: z.string().nullable(),
  page: z.number().int().positive().nullable(),
  text: z.string(),
  /** Units at the start of `text` that are not of the page itself: its number. */
  prefixLength: z.number().int().nonnegative(),
  firstToken: z.number().int().nonnegative(),
  tokens: z.number().int().nonnegative(),
});
export type HeatmapPart = z.infer<typeof heatmapPartSchema>;

/** How a question sees a prompt: the score of each token, and in how many layers and heads it is kept. */
export const scoredPromptSchema = z.object({
  /** Id of the model. */
  model: z.string(),
  /** The policy that was used: `snapkv` for `lookahead` without a module. */
  policy: choosingPolicySchema,
  budget: budgetSchema,
  promptTokens: z.number().int().positive(),
  layers: z.number().int().positive(),
  heads: z.number().int().positive(),
  /** Tokens kept per layer and KV head: their mean where layers keep different numbers. */
  keptTokens: z.number().positive(),
  /** Tokens that are kept whatever their score, ascending: the first ones, the prompt's end, with it the window of a policy that keeps one. */
  protectedTokens: words,
  parts: z.array(heatmapPartSchema),
  /** In the prompt's order. */
  documents: z.array(keptDocumentSchema),
  /** `[promptTokens]`: where each token starts in its part's text, in UTF-16 units. */
  starts: words,
  /** `[promptTokens]`: mean score over layers and heads, 0 for a policy without scores. */
  scores: floats,
  /** `[promptTokens]`: layer-heads that keep the token, 0 … layers × heads. */
  kept: halves,
});

export type ScoredPrompt = z.infer<typeof scoredPromptSchema>;

/** One KV head of one layer, both from 0. */
export const layerHeadSchema = z.object({ layer: z.number().int().nonnegative(), head: z.number().int().nonnegative() });
export type LayerHead = z.infer<typeof layerHeadSchema>;

export const heatmapSchema = scoredPromptSchema.extend({
  timings: z.object({
    prefillMs: z.number().nonnegative(),
    scoringMs: z.number().nonnegative(),
    /** Of the selection; nothing is evicted. */
    selectionMs: z.number().nonnegative(),
  }),
});
export type Heatmap = z.infer<typeof heatmapSchema>;

/** The same of the prompt of a conversation's last answer, and what each layer and KV head makes of it. */
export const importanceSchema = scoredPromptSchema.extend({
  /** Of the answer. */
  turnId: z.string(),
  /** Where given: `scores` and `kept` are this one's alone, and `kept` is 0 or 1. */
  layerHead: layerHeadSchema.nullable(),
  /** `[layers × heads]`, layer after layer, each 0 … 1. Null for a policy without scores. */
  grid: z
    .object({
      /** Tokens that are kept, of all. */
      keptShare: floats,
      /** Attention (the scores' sum) that the kept tokens have, of all. */
      keptAttention: floats,
      /** Entropy of the scores by that of even ones: 0 where one token has all of the attention, 1 where all have the same. */
      spread: floats,
    })
    .nullable(),
});
export type Importance = z.infer<typeof importanceSchema>;
