import type { KvType, ModelReport } from "./model.ts";

/** The longest context chosen unasked: beyond it a prompt takes minutes on most machines. */
const comfortableContext = 32_768;
/** The shortest context chosen for want of memory: with less, not even a page and its answer have room. */
const leastContext = 1024;

/** Memory besides weights and cache: compute buffers, tokenizer, the process itself. */
export const overheadBytes = 300 * 1024 * 1024;

/** What an estimate is made from: sizes as the model's file gives them. */
type ModelSizes = Pick<ModelReport, "fileBytes" | "kvBytesPerToken">;

/** Rounds a context up to llama.cpp's multiple of 256. */
export function roundContext(tokens: number): number {
  return Math.ceil(tokens / 256) * 256;
}

/**
 * The context chosen when nobody asked for one: as long as the model was trained for, at most 32,768, and shorter where weights
 * and cache would take more than 70 % of the free memory.
 */
export function defaultContext(
  model: ModelSizes & Pick<ModelReport, "trainedContextLength">,
  kvType: KvType,
  freeMemoryBytes: number,
): number {
  const room = freeMemoryBytes * 0.7 - model.fileBytes - overheadBytes;
  const affordable = Math.floor(room / model.kvBytesPerToken[kvType] / 256) * 256;
  return Math.min(roundContext(model.trainedContextLength), comfortableContext, Math.max(leastContext, affordable));
}

/** Bytes that weights, a full cache of this many tokens and the rest will take: an estimate for before the load. */
export function neededBytes(sizes: ModelSizes, contextLength: number, kvType: KvType): number {
  return Math.round(sizes.fileBytes + sizes.kvBytesPerToken[kvType] * contextLength + overheadBytes);
}

/** What an estimate means on a machine with so much free memory; from 80 % on other programs feel it. */
export function verdictOf(needed: number, available: number): ModelReport["fit"]["verdict"] {
  const share = needed / Math.max(1, available);
  return share > 1 ? "does-not-fit" : share > 0.8 ? "tight" : "fits";
}
