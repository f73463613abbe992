import { z } from "zod";
import { problemSchema } from "./errors.ts";
import { noticesSchema } from "./said.ts";

export const kvTypeSchema = z.enum(["f16", "q8_0", "q4_0"]);
/** The type of the cache's keys and values. */
export type KvType = z.infer<typeof kvTypeSchema>;

/** A lookahead module, and how many steps it learned (0: none). Null in its place: there is none for the model, and `snapkv` takes over. */
const moduleFactsSchema = z.object({ name: z.string(), steps: z.number().int().nonnegative() });
export type ModuleFacts = z.infer<typeof moduleFactsSchema>;

/**
 * How a model came here: with Longsight or by its set-up, from the catalogue, or as a reference to a file that lies elsewhere. `none`: it is
 * on no list, only its path was given.
 */
export const modelOriginSchema = z.enum(["installed", "downloaded", "added", "none"]);
export type ModelOrigin = z.infer<typeof modelOriginSchema>;

/** Layers of a model that a GPU computes, where the native build has one; null: all. */
export const gpuLayersSchema = z.number().int().min(0).max(512).nullable();

/** What a GGUF file says about itself and whether this machine can run it. Sizes in bytes, read from the file. */
export const modelReportSchema = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  path: z.string().min(1),
  architecture: z.string(),
  fileBytes: z.number().int().nonnegative(),
  /** Context length the model was trained for, in tokens. */
  trainedContextLength: z.number().int().positive(),
  layers: z.number().int().positive(),
  attentionHeads: z.number().int().positive(),
  kvHeads: z.number().int().positive(),
  embeddingWidth: z.number().int().positive(),
  /** Bytes of keys and values of one token over all layers, in f16 and in the other cache types. */
  kvBytesPerToken: z.object({ f16: z.number(), q8_0: z.number(), q4_0: z.number() }),
  quantisation: z.string(),
  hasChatTemplate: z.boolean(),
  embedded: z.boolean(),
  origin: modelOriginSchema,
  /** The module made for it, as it would be loaded with it. */
  lookahead: moduleFactsSchema.nullable(),
  /** Verdict for this machine: weights and a full cache of `contextLength` tokens against the memory that is free now. */
  fit: z.object({
    verdict: z.enum(["fits", "tight", "does-not-fit"]),
    neededBytes: z.number().int().nonnegative(),
    availableBytes: z.number().int().nonnegative(),
    sentence: z.string(),
  }),
});
export type ModelReport = z.infer<typeof modelReportSchema>;

/** A file on the list of models that cannot be used, and why. */
export const unusableModelSchema = z.object({
  path: z.string().min(1),
  name: z.string().min(1),
  origin: modelOriginSchema,
  problem: problemSchema,
});
export type UnusableModel = z.infer<typeof unusableModelSchema>;

export const loadedModelSchema = z.object({
  report: modelReportSchema,
  /** Tokens a prompt and its answer may have together; what was allocated, not what was asked for. */
  contextLength: z.number().int().positive(),
  kvType: kvTypeSchema,
  threads: z.number().int().positive(),
  /** Bytes of the allocated full cache. */
  cacheBytes: z.number().int().nonnegative(),
  /** The module that was loaded with it. */
  lookahead: moduleFactsSchema.nullable(),
  ...noticesSchema,
});
export type LoadedModel = z.infer<typeof loadedModelSchema>;

export const engineAboutSchema = z.object({
  /** Version of Longsight. */
  version: z.string(),
  /** Name of the native build that is loaded: platform, backend and hash. */
  build: z.string(),
  /** Loaded ggml backends and the CPU features of the variant chosen. */
  backends: z.array(z.string()),
  /** The chosen CPU variant (for example "zen4"), where the build carries several. */
  variant: z.string(),
  gpu: z.string().nullable(),
  nodeLlamaCpp: z.string(),
  addonVersion: z.number().int(),
  runtime: z.string(),
  cores: z.number().int().positive(),
  memoryBytes: z.number().int().positive(),
  freeMemoryBytes: z.number().int().nonnegative(),
  /** Folder with the conversations. */
  dataFolder: z.string(),
});
export type EngineAbout = z.infer<typeof engineAboutSchema>;
