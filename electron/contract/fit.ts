import type { KvType, ModelReport } from "./model.ts";

/** Memory besides weights and cache: compute buffers, tokenizer, the process itself. */
export const overheadBytes = 300 * 1024 * 1024;

/** What an estimate is made from: sizes as the model's file gives them. */
type ModelSizes = Pick<ModelReport, "fileBytes" | "kvBytesPerToken">;

/** Bytes that weights, a full cache of this many tokens and the rest will take: an estimate for before the load. */
export function neededBytes(sizes: ModelSizes, contextLength: number, kvType: KvType): number {
  return Math.round(sizes.fileBytes + sizes.kvBytesPerToken[kvType] * contextLength + overheadBytes);
}

/** What an estimate means on a machine with so much free memory; from 80 % on other programs feel it. */
export function verdictOf(needed: number, available: number): ModelReport["fit"]["verdict"] {
  const share = needed / Math.max(1, available);
  return share > 1 ? "does-not-fit" : share > 0.8 ? "tight" : "fits";
}
