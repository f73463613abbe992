import { neededBytes, verdictOf } from "../../contract/fit.ts";
import type { KvType, ModelReport } from "../../contract/model.ts";
import { type Message, say } from "../../contract/said.ts";
import type { GgufHeader } from "./gguf.ts";

/**
 * Cells of a kept cache: whole blocks, so that attention runs over full rows. A GPU's kernels take their keys 256 at a time, a CPU's
 * vectors 32. Where layers keep different numbers each has its own, with the same room behind them.
 * @param budgets tokens that each layer keeps
 * @param room for at least so many more
 * @param context.contextLength which no layer's cells exceed
 */
export function keptCells(budgets: Uint32Array, room: number, context: { contextLength: number; gpu: boolean }): number | Uint32Array {
  const block = context.gpu ? 256 : 32;
  const largest = budgets.reduce((most, budget) => Math.max(most, budget), 0);
  const cells = Math.min(context.contextLength, Math.ceil((largest + room) / block) * block);
  return budgets.every((budget) => budget === largest) ? cells : budgets.map((budget) => budget + cells - largest);
}

/** The longest context that fits this machine now, on llama.cpp's grid; 0 where not even the weights do. */
export function longestContext(header: GgufHeader, kvType: KvType, freeMemoryBytes: number): number {
  const room = freeMemoryBytes - neededBytes(header, 0, kvType);
  return Math.max(0, Math.floor(room / header.kvBytesPerToken[kvType] / 256) * 256);
}

/** Whether weights and a full cache of `contextLength` tokens fit this machine now, in numbers and in a sentence. */
export function judgeFit(header: GgufHeader, contextLength: number, kvType: KvType, freeMemoryBytes: number): ModelReport["fit"] {
  const needed = neededBytes(header, contextLength, kvType);
  const verdict = verdictOf(needed, freeMemoryBytes);
  const { message } = sayFit(header, contextLength, kvType, freeMemoryBytes);
  return { verdict, neededBytes: needed, availableBytes: Math.max(0, Math.round(freeMemoryBytes)), sentence: message };
}

/** The sentence alone, as a part of others. */
export function sayFit(header: GgufHeader, contextLength: number, kvType: KvType, freeMemoryBytes: number): Message {
  const needed = neededBytes(header, contextLength, kvType);
  const said = { needed: needed / gigabyte, free: freeMemoryBytes / gigabyte, tokens: contextLength };
  const verdict = verdictOf(needed, freeMemoryBytes);
  return say(verdict === "fits" ? "fits" : verdict === "tight" ? "fitsTightly" : "doesNotFit", said);
}

const gigabyte = 1024 ** 3;
