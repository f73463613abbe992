import type { KvType, ModelReport } from "../../electron/contract/model.ts";

/** Memory besides weights and cache that the engine's own estimates count with. */
const overheadBytes = 300 * 1024 * 1024;

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
  const neededBytes = Math.round(report.fileBytes + report.kvBytesPerToken[kvType] * length + overheadBytes);
  const { availableBytes } = report.fit;
  const share = neededBytes / Math.max(1, availableBytes);
  return { verdict: share > 1 ? "does-not-fit" : share > 0.8 ? "tight" : "fits", neededBytes, availableBytes, contextLength: length };
}
