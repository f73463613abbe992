import type { ModelContext } from "../../../electron/engine/llama/context.ts";

function never(): never {
  throw new Error("not asked for");
}

/** As much of a context as a test needs: whatever else is asked of it is a fault. */
export function standInContext(own: Partial<ModelContext>): ModelContext {
  return {
    contextLength: 4096,
    decode: never,
    decodeRows: never,
    truncate: never,
    sample: never,
    logits: never,
    startScoring: never,
    stopScoring: never,
    scores: never,
    expectedAttention: never,
    setAdapter: never,
    shape: never,
    keepFrom: never,
    rowBytes: never,
    readRows: never,
    writeRows: never,
    readWindow: never,
    writeWindow: never,
    readKept: never,
    writeKept: never,
    bytesOf: never,
    abort: never,
    resume: never,
    isDisposed: false,
    buffers: never,
    dispose: never,
    ...own,
  };
}
