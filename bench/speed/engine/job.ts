import { z } from "zod";
import { choosingPolicySchema } from "../../../electron/contract/policies.ts";
import { engineTimes } from "../outcome.ts";

/** Tokens that are decoded behind a prompt, the same ones from every cache and in every program. */
export const answerTokens = 32;

const asked = {
  model: z.string(),
  modules: z.array(z.string()),
  budgets: z.array(z.number().int()),
  threads: z.number().int().nullable(),
  policies: z.array(choosingPolicySchema),
  draft: z.string().nullable(),
};
/** What a process of the engine is asked for: to lay out prompts and describe itself, or to measure one of them. */
export const jobSchema = z.discriminatedUnion("job", [
  z.object({ ...asked, job: z.literal("prepare"), lengths: z.array(z.number().int()).min(1) }),
  /** `reference`: the budget at which what a policy adds is measured; one of the budgets. */
  z.object({ ...asked, job: z.literal("turn"), length: z.number().int(), round: z.number().int(), reference: z.number().int() }),
]);
export type Job = z.infer<typeof jobSchema>;
export type TurnJob = Extract<Job, { job: "turn" }>;

const fileSchema = z.object({ file: z.string(), sha256: z.string() });

/** What the other programs and the results have to know. */
export const preparedSchema = z.object({
  /** A hash of all code of the engine's processes. */
  code: z.string(),
  /** The model's file, where it lies: never written down. */
  path: z.string(),
  threads: z.number().int(),
  /** The backend that computes; null for the CPU. */
  gpu: z.string().nullable(),
  /** The CPU generation that its kernels were built for. */
  variant: z.string(),
  draft: fileSchema.nullable(),
  /** As raw figures have it. */
  described: z.looseObject({ model: z.looseObject({ id: z.string() }) }),
  prompts: z.array(z.object({ length: z.number().int(), tokens: z.array(z.number().int()) })),
});
export type Prepared = z.infer<typeof preparedSchema>;

export const measuredSchema = z.object({ code: z.string(), promptTokens: z.number().int(), times: engineTimes });
export type Measured = z.infer<typeof measuredSchema>;
