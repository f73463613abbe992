import { z } from "zod";
import { policySchema } from "../../electron/contract/policies.ts";
import { stages } from "./stages.ts";

const bytes = z.number().nonnegative();
export const courseSchema = z.object({ everyMs: z.number().positive(), bytes: z.array(bytes) });

const stageSchema = z.object({
  stage: z.enum(stages),
  fromMs: z.number(),
  toMs: z.number(),
  mostBytes: bytes,
  endBytes: bytes,
  ownBytes: bytes,
});

/** What a process that answered says of itself. Times are those of a clock that it shares with whoever started it. */
export const answeredSchema = z.object({
  promptTokens: z.number().int(),
  answerTokens: z.number().int(),
  /** `snapkv` where the model has no module. */
  policy: policySchema,
  evictions: z.number().int(),
  /** As the engine measures them: the model's weights, the cache as the prompt was read and as the answer ended. */
  weightsBytes: bytes,
  fullCacheBytes: bytes,
  keptCacheBytes: bytes,
  /** Of all caches a second after the answer. */
  cacheBytesAfter: bytes,
  stages: z.array(stageSchema),
});
export type Answered = z.infer<typeof answeredSchema>;

const head = { row: z.string(), round: z.number().int(), load: z.number(), seconds: z.number() };

/** An outcome in a journal; a stage's times are from the process's start. One that could not be had says why, and is not tried again. */
const measuredSchema = z.object({ ...head, ...answeredSchema.shape, course: courseSchema });
export type MeasuredOutcome = z.infer<typeof measuredSchema>;
export const outcomeSchema = z.union([measuredSchema, z.object({ ...head, failed: z.string() })]);
export type MemoryOutcome = z.infer<typeof outcomeSchema>;
