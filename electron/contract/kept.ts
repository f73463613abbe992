import { z } from "zod";
import { documentIdSchema } from "./document.ts";
import { policySchema } from "./policies.ts";

const halves = z.custom<Uint16Array>((value) => value instanceof Uint16Array, "a Uint16Array");

/** A document of a prompt: its tokens, and how many of them are kept per layer and KV head, on average. */
export const keptDocumentSchema = z.object({
  documentId: documentIdSchema,
  tokens: z.number().int().nonnegative(),
  keptTokens: z.number().nonnegative(),
});
export type KeptDocument = z.infer<typeof keptDocumentSchema>;

/** What a budget keeps of a prompt. */
export const keptSchema = z.object({
  /** The policy that was used: `snapkv` for `lookahead` without a module. */
  policy: policySchema,
  /** As asked. */
  budget: z.number().int().positive(),
  promptTokens: z.number().int().positive(),
  layers: z.number().int().positive(),
  heads: z.number().int().positive(),
  /** Tokens kept per layer and KV head: their mean where layers keep different numbers. */
  keptTokens: z.number().positive(),
  /** `[promptTokens]`: layer-heads that keep the token, 0 … layers × heads. */
  kept: halves,
  /** In the prompt's order. */
  documents: z.array(keptDocumentSchema),
});

/** `keptCacheBytes`: of a cache like that, where one was allocated before; null where nobody measured it. */
export const keptPreviewSchema = keptSchema.extend({ keptCacheBytes: z.number().int().positive().nullable() });
export type KeptPreview = z.infer<typeof keptPreviewSchema>;

/** What was gathered into a cache, and what that took. */
export const reselectedSchema = keptSchema.extend({
  /** The allocated caches: the one that was kept from, and the kept one with room for the beginning of an answer. */
  fullCacheBytes: z.number().int().positive(),
  keptCacheBytes: z.number().int().positive(),
  /** Prompt tokens that were in memory or in a snapshot, those of them from a snapshot, and those that were read. */
  cachedTokens: z.number().int().nonnegative(),
  restoredTokens: z.number().int().nonnegative(),
  evaluatedTokens: z.number().int().nonnegative(),
  timings: z.object({
    restoreMs: z.number().nonnegative(),
    prefillMs: z.number().nonnegative(),
    selectionMs: z.number().nonnegative(),
    evictionMs: z.number().nonnegative(),
    /** From the request's turn to its end. */
    totalMs: z.number().nonnegative(),
  }),
});
export type Reselected = z.infer<typeof reselectedSchema>;
