import { z } from "zod";

const itemSchema = z.object({
  task: z.string(),
  id: z.string(),
  promptTokens: z.number().int(),
  /** Left out of the middle of what is asked about. */
  cutTokens: z.number().int(),
  seconds: z.number(),
});

const keptSchema = z.object({ policy: z.string(), budget: z.string() });
/** Budgets that were not measured, see examine.ts. */
const leftOutSchema = z.object({ whole: z.array(z.string()), tooSmall: z.array(z.string()) });

const scoredSchema = itemSchema.extend({
  kind: z.literal("scored"),
  /** `first`: what its first token scores by itself, which every cache has from the full one. */
  full: z.object({ text: z.string(), score: z.number().min(0).max(1), first: z.number().min(0).max(1) }),
  /** What the full cache's answer scores by the gold answers of other items. */
  chance: z.number().min(0).max(1),
  kept: z.array(keptSchema.extend({ text: z.string(), score: z.number().min(0).max(1) })),
  leftOut: leftOutSchema,
});

const agreementSchema = itemSchema.extend({
  kind: z.literal("agreement"),
  /** The full cache's own mean log-likelihood of its answer, token by token like the kept ones'; null for fewer than two tokens. */
  full: z.object({ text: z.string(), tokens: z.number().int(), logLikelihood: z.number().nullable() }),
  kept: z.array(
    keptSchema.extend({
      text: z.string(),
      f1: z.number(),
      rougeL: z.number(),
      edit: z.number(),
      logLikelihood: z.number().nullable(),
    }),
  ),
  leftOut: leftOutSchema,
});

const temperatureSchema = itemSchema.extend({
  kind: z.literal("temperature"),
  answerTokens: z.number().int(),
  /** Each list of scores held against those by the greedy answer; `recall` by K, where the prompt is longer. */
  rows: z.array(
    z.object({
      name: z.string(),
      recall: z.array(z.object({ of: z.number().int(), share: z.number() })),
      tau: z.number().nullable(),
    }),
  ),
});

/** There was no room for the instructions and the question alone. */
const unfitSchema = z.object({ kind: z.literal("unfit"), task: z.string(), id: z.string(), seconds: z.number() });

/** An outcome in a journal. */
export const outcomeSchema = z.discriminatedUnion("kind", [scoredSchema, agreementSchema, temperatureSchema, unfitSchema]);
/** What came of one item. */
export type QualityOutcome = z.infer<typeof outcomeSchema>;
export type ScoredOutcome = z.infer<typeof scoredSchema>;
export type AgreementOutcome = z.infer<typeof agreementSchema>;
export type TemperatureOutcome = z.infer<typeof temperatureSchema>;
