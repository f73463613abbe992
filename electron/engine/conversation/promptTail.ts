import type { ModelContext } from "../llama/context.ts";
import type { PromptSnapshots } from "../snapshots/promptSnapshots.ts";
import { commonPrefix } from "./prefill.ts";

/**
 * Rows of a prompt's end that its snapshots lack, so that what was evicted can be chosen from again without a full cache, and without reading.
 * Snapshots end on a grid line, and leave out a short last part: these are some two hundred tokens at most.
 */
export type PromptTail = {
  readonly prompt: Uint32Array;
  /** Position of the first row. */
  readonly start: number;
  /** As ModelContext.readRows gives them, exact. */
  readonly rows: Uint8Array;
  /** Allocated for the full cache that they were read into. */
  readonly fullCacheBytes: number;
};

/** The tail of the last prompt that was evicted from, under one loaded model. */
export type TailSlot = {
  /** To be called before the full cache is freed, when all of the prompt was handed to the snapshots. Never throws: it is only a saving. */
  remember(full: Pick<ModelContext, "readRows" | "buffers">, prompt: Uint32Array, snapshots: PromptSnapshots | null): Promise<void>;
  /** Null where another prompt was the last. */
  find(prompt: Uint32Array): PromptTail | null;
  /** Nothing stays of a document that is forgotten. */
  clear(): void;
};

/** More tokens than snapshots leave out by design: they were not stored then, for want of room or of a right to. */
const mostTokens = 512;

export function createTailSlot(): TailSlot {
  let tail: PromptTail | null = null;
  return {
    async remember(full, prompt, snapshots) {
      tail = null;
      if (snapshots?.form !== "exact") return;
      const start = snapshots.covered();
      if (prompt.length - start > mostTokens) return;
      const rows = start === prompt.length ? new Uint8Array(0) : await full.readRows(start, prompt.length, "exact").catch(() => null);
      // A copy: the prompt's tokens may be a view of something larger.
      if (rows !== null) tail = { prompt: prompt.slice(), start, rows, fullCacheBytes: full.buffers().cache };
    },
    find(prompt) {
      const isSame = tail !== null && tail.prompt.length === prompt.length && commonPrefix(tail.prompt, prompt) === prompt.length;
      return isSame ? tail : null;
    },
    clear() {
      tail = null;
    },
  };
}
