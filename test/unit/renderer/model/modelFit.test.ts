import { expect, test } from "vitest";
import { estimateFit, fullCacheTokens, withFreed } from "../../../../renderer/model/modelFit.ts";
import { model, report } from "../fakeEngine.ts";

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
  expect(estimateFit(known, { contextLength: null, kvType: "f16" })).toMatchObject({
    verdict: "fits",
    neededBytes: 1312 * mebibyte,
    contextLength: 8192,
  });
  expect(estimateFit(known, { contextLength: null, kvType: "q8_0" })).toMatchObject({ neededBytes: 1056 * mebibyte });
  expect(estimateFit(known, { contextLength: 16_384, kvType: "f16" })).toMatchObject({ verdict: "tight", neededBytes: 1824 * mebibyte });
  expect(estimateFit(known, { contextLength: 32_768, kvType: "f16" }).verdict).toBe("does-not-fit");
});

test("the estimate has every part, and they make the whole", () => {
  const fit = estimateFit(known, { contextLength: 8192, kvType: "f16", budget: 512 });
  expect(fit).toMatchObject({ weightBytes: fileBytes, fullBytes: 512 * mebibyte, keptBytes: 32 * mebibyte });
  expect(fit.neededBytes).toBe(fit.weightBytes + fit.fullBytes + (fit.keptBytes ?? 0) + fit.otherBytes);
  expect(estimateFit(known, { contextLength: 8192, kvType: "q4_0", budget: 512 })).toMatchObject({ keptBytes: 8 * mebibyte });
  // A budget that holds all of the context keeps nothing beside it.
  for (const budget of ["full", 8192, 9000] as const) {
    expect(estimateFit(known, { contextLength: 8192, kvType: "f16", budget }).keptBytes).toBeNull();
  }
});

test("a budget can be what makes the difference", () => {
  const close = { ...known, fit: { ...known.fit, availableBytes: 1312 * mebibyte } };
  expect(estimateFit(close, { contextLength: 8192, kvType: "f16" }).verdict).toBe("tight");
  expect(estimateFit(close, { contextLength: 8192, kvType: "f16", budget: 4096 }).verdict).toBe("does-not-fit");
});

test("what is loaded now makes room for the next", () => {
  expect(withFreed(known, null)).toBe(known);
  const loaded = { ...model, cacheBytes: 5 * mebibyte, report: { ...report, fileBytes: 7 * mebibyte } };
  expect(withFreed(known, loaded).fit.availableBytes).toBe(2012 * mebibyte);
});

test("reading in windows, a context that is longer than memory gets a full cache that is not", () => {
  const streaming = { mode: "streaming", budget: 256 } as const;
  const tokens = fullCacheTokens(known, { contextLength: 100_000, kvType: "f16" }, streaming);
  expect(tokens).not.toBeNull();
  expect(estimateFit(known, { contextLength: tokens, kvType: "f16" }).verdict).toBe("fits");
  expect(tokens).toBe(9472);
  // As long as the context where that fits, where nobody asked for a length, and in every other mode.
  expect(fullCacheTokens(known, { contextLength: 4096, kvType: "f16" }, streaming)).toBeNull();
  expect(fullCacheTokens(known, { contextLength: null, kvType: "f16" }, streaming)).toBeNull();
  expect(fullCacheTokens(known, { contextLength: 100_000, kvType: "f16" }, { ...streaming, mode: "question" })).toBeNull();
  expect(fullCacheTokens(known, { contextLength: 100_000, kvType: "f16" }, { ...streaming, budget: "full" })).toBeNull();
  const none = { ...known, fit: { ...known.fit, availableBytes: 0 } };
  expect(fullCacheTokens(none, { contextLength: 100_000, kvType: "f16" }, streaming)).toBe(256);
});
