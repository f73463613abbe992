import { z } from "zod";
import { kvTypeSchema, loadedModelSchema } from "../../electron/contract/model.ts";
import { ways } from "./rows.ts";

const asked = {
  /** A GGUF file. */
  model: z.string(),
  threads: z.number().int().nullable(),
  modelsFolder: z.string(),
  modulesFolder: z.string(),
  documentWorker: z.string(),
};

/** What a process is asked for: to lay out the prompt and describe itself, or to give one answer. */
export const jobSchema = z.discriminatedUnion("job", [
  z.object({ ...asked, job: z.literal("prepare"), tokens: z.number().int(), answer: z.number().int() }),
  z.object({
    ...asked,
    job: z.literal("answer"),
    way: z.enum(ways),
    kvType: kvTypeSchema,
    budget: z.number().int(),
    answer: z.number().int(),
    /** Of the text that is asked about. */
    lines: z.number().int(),
    contextLength: z.number().int(),
  }),
]);
export type Job = z.infer<typeof jobSchema>;

export const preparedSchema = z.object({
  lines: z.number().int(),
  promptTokens: z.number().int(),
  contextLength: z.number().int(),
  threads: z.number().int(),
  build: z.string(),
  modelId: z.string(),
  /** The module that the app comes with for this model; null where there is none. */
  lookahead: loadedModelSchema.shape.lookahead,
});
export type Prepared = z.infer<typeof preparedSchema>;
