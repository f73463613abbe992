import { createStore, type StoreApi } from "zustand/vanilla";
import type { Comparison } from "../../electron/contract/comparison.ts";
import type { ProgressEvent } from "../../electron/contract/engine.ts";
import type { Problem } from "../../electron/contract/errors.ts";

/** A question that is answered twice, from the full cache and from a kept one. */
export type Compared = {
  readonly conversationId: string;
  readonly turnId: string;
  readonly question: string;
  /** Tokens kept per layer and KV head. */
  readonly budget: number;
  readonly running: boolean;
  /** Which of the two answers is being written; null before. */
  readonly writing: "full" | "kept" | null;
  readonly progress: ProgressEvent | null;
  readonly result: Comparison | null;
  readonly problem: Problem | null;
};

export type CompareState = { readonly compared: Compared | null };
export type CompareStore = StoreApi<CompareState>;

export function createCompareStore(): CompareStore {
  return createStore<CompareState>(() => ({ compared: null }));
}

/** What the engine said meanwhile: its `decode` comes twice, first from the full cache. */
export function withCompareProgress(compared: Compared, progress: ProgressEvent): Compared {
  const again = compared.progress?.stage !== "decode" && progress.stage === "decode";
  const writing = again ? (compared.writing === null ? "full" : "kept") : compared.writing;
  return { ...compared, progress, writing };
}
