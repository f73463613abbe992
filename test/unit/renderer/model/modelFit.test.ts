import { expect, test } from "vitest";
import { estimateFit, fullCacheTokens } from "../../../../renderer/model/modelFit.ts";
import { report } from "../fakeEngine.ts";

const mebibyte = 1024 * 1024;
const kvBytesPerToken = { f16: 64 * 1024, q8_0: 32 * 1024, q4_0: 16 * 1024 };
const fileBytes = 500 * mebibyte;
// Judged by the engine at 8,192 tokens in f16.
const known = {
  ...report,
  fileBytes,
  kvBytesPerToken,
  fit: { verdict: "fits", neededBytes: fileBytes + 512 * mebibyte + 300 * mebibyte, availableBytes: 2000 * mebibyte, sentence: "" },
} as const;

test("the estimate follows the context and the cache type", () => {
  expect(estimateFit(known, null, "f16")).toMatchObject({ verdict: "fits", neededBytes: 1312 * mebibyte, contextLength: 8192 });
  expect(estimateFit(known, null, "q8_0")).toMatchObject({ neededBytes: 1056 * mebibyte });
  expect(estimateFit(known, 16_384, "f16")).toMatchObject({ verdict: "tight", neededBytes: 1824 * mebibyte });
  expect(estimateFit(known, 32_768, "f16").verdict).toBe("does-not-fit");
});

test("reading in windows, a context that is longer than memory gets a full cache that is not", () => {
  const streaming = { mode: "streaming", budget: 256 } as const;
  const tokens = fullCacheTokens(known, { contextLength: 100_000, kvType: "f16" }, streaming);
  expect(tokens).not.toBeNull();
  expect(estimateFit(known, tokens, "f16").verdict).toBe("fits");
  expect(tokens).toBe(9472);
  // As long as the context where that fits, where nobody asked for a length, and in every other mode.
  expect(fullCacheTokens(known, { contextLength: 4096, kvType: "f16" }, streaming)).toBeNull();
  expect(fullCacheTokens(known, { contextLength: null, kvType: "f16" }, streaming)).toBeNull();
  expect(fullCacheTokens(known, { contextLength: 100_000, kvType: "f16" }, { ...streaming, mode: "question" })).toBeNull();
  expect(fullCacheTokens(known, { contextLength: 100_000, kvType: "f16" }, { ...streaming, budget: "full" })).toBeNull();
  const none = { ...known, fit: { ...known.fit, availableBytes: 0 } };
  expect(fullCacheTokens(none, { contextLength: 100_000, kvType: "f16" }, streaming)).toBe(256);
});
