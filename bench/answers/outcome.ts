import { z } from "zod";

const scoredSchema = z.object({ text: z.string(), f1: z.number().min(0).max(1), holdsGold: z.boolean() });
/** An outcome in a journal. */
export const outcomeSchema = z.object({
  id: z.string(),
  documentId: z.string(),
  promptTokens: z.number().int(),
  full: scoredSchema,
  kept: z.array(scoredSchema.extend({ policy: z.string(), budget: z.number() })),
  seconds: z.number(),
});
/** What came of one question. */
export type AnswerOutcome = z.infer<typeof outcomeSchema>;
