import { neededBytes, overheadBytes, verdictOf } from "../../electron/contract/fit.ts";
import type { KvType, ModelReport } from "../../electron/contract/model.ts";
import type { Settings } from "../../electron/contract/shell.ts";

export type ModelFit = {
  readonly verdict: ModelReport["fit"]["verdict"];
  readonly neededBytes: number;
  readonly availableBytes: number;
  readonly contextLength: number;
};

/** The context that a model's report was judged at: what is loaded where nobody asks for a length. */
function reportedContext(report: ModelReport): number {
  const cacheBytes = report.fit.neededBytes - report.fileBytes - overheadBytes;
  return Math.max(1, Math.round(cacheBytes / report.kvBytesPerToken.f16));
}

/** Whether a model would fit with this context (null: the automatic one) and cache type; an estimate for before the load. */
export function estimateFit(report: ModelReport, contextLength: number | null, kvType: KvType): ModelFit {
  const length = contextLength ?? reportedContext(report);
  const needed = neededBytes(report, length, kvType);
  const { availableBytes } = report.fit;
  return { verdict: verdictOf(needed, availableBytes), neededBytes: needed, availableBytes, contextLength: length };
}

/** Part of the free memory that a full cache may take with the weights, where the text itself may be longer. */
const comfortableShare = 0.7;
/** The smallest full cache that the engine makes. */
const leastFullCache = 256;

/**
 * Tokens that the full cache is to hold where a context is longer than memory: reading in windows never needs it, so that it is as long as
 * memory has room for. Null: as long as the context.
 */
export function fullCacheTokens(
  report: ModelReport,
  { contextLength, kvType }: { readonly contextLength: number | null; readonly kvType: KvType },
  { mode, budget }: Pick<Settings, "mode" | "budget">,
): number | null {
  if (mode !== "streaming" || budget === "full" || contextLength === null) return null;
  if (estimateFit(report, contextLength, kvType).verdict === "fits") return null;
  const room = report.fit.availableBytes * comfortableShare - neededBytes(report, 0, kvType);
  const tokens = Math.floor(room / report.kvBytesPerToken[kvType] / leastFullCache) * leastFullCache;
  return Math.min(contextLength, Math.max(leastFullCache, tokens));
}
