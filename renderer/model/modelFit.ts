import { neededBytes, overheadBytes, verdictOf } from "../../electron/contract/fit.ts";
import type { KvType, ModelReport } from "../../electron/contract/model.ts";

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
