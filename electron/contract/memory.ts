import { z } from "zod";

const bytes = z.number().int().nonnegative();

/** What memory is in use now, in bytes; all of it measured. */
export const memorySchema = z.object({
  /** Null while no model is loaded. */
  model: z
    .object({
      /** The weights' tensors, as llama.cpp counts them. */
      weightsBytes: bytes,
      /** The allocated buffer of the full cache; 0 while it is freed. */
      fullCacheBytes: bytes,
      /** The allocated buffers of kept caches: one while an answer is written from it, and between answers in mode `once`. */
      keptCacheBytes: bytes,
    })
    .nullable(),
  /** Of the engine's process, in the machine's memory. Weights that are mapped count as far as they were read. */
  residentBytes: bytes,
  /** What this process may use in all, and what of it can be had without swapping. */
  memoryBytes: bytes,
  freeMemoryBytes: bytes,
});
export type Memory = z.infer<typeof memorySchema>;
