import type { Budget } from "../../electron/contract/conversation.ts";
import { defaultContext, neededBytes, overheadBytes, verdictOf } from "../../electron/contract/fit.ts";
import type { KvType, LoadedModel, ModelReport } from "../../electron/contract/model.ts";
import type { Settings } from "../../electron/contract/shell.ts";

/** What a model would be loaded with. */
export type FitChoice = {
  /** Tokens; null: the automatic length. */
  readonly contextLength: number | null;
  readonly kvType: KvType;
  /** What an answer keeps; nothing beside the full cache where that is everything. */
  readonly budget?: Budget;
};

/** What a model would take of this machine's memory, in bytes. The weights are the file's length; all else is estimated. */
export type ModelFit = {
  readonly verdict: ModelReport["fit"]["verdict"];
  readonly weightBytes: number;
  readonly fullBytes: number;
  /** What an answer keeps of the full cache, beside it while that is read; null where it keeps everything. */
  readonly keptBytes: number | null;
  readonly otherBytes: number;
  readonly neededBytes: number;
  readonly availableBytes: number;
  /** Tokens of the full cache. */
  readonly contextLength: number;
};

/**
 * A report as it would be judged for a load: what is loaded now is freed before the next one needs its place. The engine counts the same way.
 */
export function withFreed(report: ModelReport, current: LoadedModel | null): ModelReport {
  if (current === null) return report;
  const availableBytes = report.fit.availableBytes + current.report.fileBytes + current.cacheBytes;
  return { ...report, fit: { ...report.fit, availableBytes } };
}

/** Whether a model would fit with this choice: an estimate for before the load. */
export function estimateFit(report: ModelReport, { contextLength, kvType, budget = "full" }: FitChoice): ModelFit {
  const { availableBytes } = report.fit;
  const length = contextLength ?? defaultContext(report, kvType, availableBytes);
  const kept = budget === "full" || budget >= length ? null : budget;
  const keptBytes = kept === null ? null : Math.round(report.kvBytesPerToken[kvType] * kept);
  const needed = neededBytes(report, length + (kept ?? 0), kvType);
  return {
    verdict: verdictOf(needed, availableBytes),
    weightBytes: report.fileBytes,
    fullBytes: Math.round(report.kvBytesPerToken[kvType] * length),
    keptBytes,
    otherBytes: overheadBytes,
    neededBytes: needed,
    availableBytes,
    contextLength: length,
  };
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
  { contextLength, kvType }: FitChoice,
  { mode, budget }: Pick<Settings, "mode" | "budget">,
): number | null {
  if (mode !== "streaming" || budget === "full" || contextLength === null) return null;
  if (estimateFit(report, { contextLength, kvType }).verdict === "fits") return null;
  const room = report.fit.availableBytes * comfortableShare - neededBytes(report, 0, kvType);
  const tokens = Math.floor(room / report.kvBytesPerToken[kvType] / leastFullCache) * leastFullCache;
  return Math.min(contextLength, Math.max(leastFullCache, tokens));
}
