import { z } from "zod";

const rowSchema = z.object({
  policy: z.string(),
  /** What scoring beside flash attention cost while its rows were read; its sign is that of the measurement. 0 for policies without. */
  readingMs: z.number(),
  /** Drafting an answer; 0 for policies without. */
  draftMs: z.number(),
  scoringMs: z.number(),
  budgets: z.array(
    z.object({
      budget: z.number(),
      keptTokens: z.number(),
      recall: z.number(),
      truthRecall: z.number(),
      mass: z.number(),
      selectionMs: z.number(),
      /** Of a cache that holds just what is kept, allocated; null where it could not be made. */
      keptBytes: z.number(),
    }),
  ),
});
/** What came of one policy and one prompt. */
export type PolicyRow = z.infer<typeof rowSchema>;

/** An outcome in a journal. */
export const outcomeSchema = z.object({
  index: z.number().int(),
  promptTokens: z.number().int(),
  /** Tokens of the full cache's own answer, the truth. */
  answerTokens: z.number().int(),
  answer: z.string(),
  prefillMs: z.number(),
  rows: z.array(rowSchema),
  seconds: z.number(),
});
/** What came of one prompt. */
export type PolicyOutcome = z.infer<typeof outcomeSchema>;
