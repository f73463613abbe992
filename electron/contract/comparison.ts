import { z } from "zod";
import { answerFiguresSchema } from "./conversation.ts";

/** The same question answered from the full cache and from a kept one, by the same seed. */
export const comparisonSchema = z.object({
  /** What was done once, for both: reading the prompt and scoring it. What each half took beyond that is in its own figures. */
  reading: z.object({
    cachedTokens: z.number().int().nonnegative(),
    restoredTokens: z.number().int().nonnegative(),
    evaluatedTokens: z.number().int().nonnegative(),
    restoreMs: z.number().nonnegative(),
    prefillMs: z.number().nonnegative(),
    scoringMs: z.number().nonnegative(),
  }),
  full: answerFiguresSchema,
  kept: answerFiguresSchema,
});
export type Comparison = z.infer<typeof comparisonSchema>;
