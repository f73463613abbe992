import { z } from "zod";

/** An outcome in a journal. */
export const outcomeSchema = z.object({
  index: z.number().int(),
  depth: z.number(),
  key: z.string(),
  value: z.string(),
  promptTokens: z.number().int(),
  full: z.object({ text: z.string(), isFound: z.boolean() }),
  /** Empty where the full cache did not find the value. */
  kept: z.array(z.object({ policy: z.string(), budget: z.number(), text: z.string(), isFound: z.boolean() })),
  seconds: z.number(),
});
/** What came of one item. */
export type NeedleOutcome = z.infer<typeof outcomeSchema>;
