import { z } from "zod";

const answerSchema = z.object({
  promptTokens: z.number().int(),
  text: z.string(),
  isFound: z.boolean(),
  /** The most that all caches took together. */
  cacheBytes: z.number(),
  seconds: z.number(),
});

/** An outcome in a journal. */
export const outcomeSchema = z.object({
  index: z.number().int(),
  depth: z.number(),
  value: z.string(),
  /** From the full cache, of the shorter text. */
  full: answerSchema,
  streamed: z.array(answerSchema.extend({ policy: z.string(), budget: z.number(), evictions: z.number().int() })),
});
/** What came of one item. */
export type StreamingOutcome = z.infer<typeof outcomeSchema>;
