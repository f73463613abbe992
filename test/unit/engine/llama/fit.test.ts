import { describe, expect, it } from "vitest";
import { neededBytes } from "../../../../electron/contract/fit.ts";
import { judgeFit, longestContext } from "../../../../electron/engine/llama/fit.ts";
import type { GgufHeader } from "../../../../electron/engine/llama/gguf.ts";

const gibibyte = 1024 ** 3;

const header: GgufHeader = {
  path: "/models/a model.gguf",
  fileBytes: 500_000_000,
  name: "A model",
  architecture: "qwen2",
  trainedContextLength: 32_768,
  layers: 24,
  attentionHeads: 14,
  kvHeads: 2,
  embeddingWidth: 896,
  kvBytesPerToken: { f16: 12_288, q8_0: 6_528, q4_0: 3_456 },
  headBytes: null,
  slidingWindow: 0,
  longRope: false,
  quantisation: "Q4_K_M",
  chatTemplate: null,
};

describe("longestContext", () => {
  it("is the last one on the grid that is not judged too long, for every cache type", () => {
    for (const kvType of ["f16", "q8_0", "q4_0"] as const) {
      for (let free = 0.8 * gibibyte; free < 4 * gibibyte; free += 0.13 * gibibyte) {
        const longest = longestContext(header, kvType, free);
        expect(longest % 256).toBe(0);
        expect(longest).toBeGreaterThan(0);
        expect(judgeFit(header, longest, kvType, free).verdict).not.toBe("does-not-fit");
        expect(judgeFit(header, longest + 256, kvType, free).verdict).toBe("does-not-fit");
      }
    }
  });

  it("is none where the weights alone are too large", () => {
    expect(longestContext(header, "f16", header.fileBytes)).toBe(0);
  });
});

describe("judgeFit", () => {
  const needed = neededBytes(header, 8192, "f16");

  it("counts weights, cache and what else a model needs", () => {
    expect(needed).toBeGreaterThan(header.fileBytes + 8192 * 12_288);
    expect(needed).toBeLessThan(header.fileBytes + 8192 * 12_288 + gibibyte);
    expect(neededBytes(header, 8192, "q8_0")).toBe(needed - 8192 * (12_288 - 6_528));
    expect(Number.isInteger(neededBytes({ ...header, kvBytesPerToken: { f16: 1, q8_0: 0.53125, q4_0: 0.3 } }, 33, "q8_0"))).toBe(true);
  });

  it.each([
    [2, "fits"],
    [1.26, "fits"],
    [1.24, "tight"],
    [1.001, "tight"],
    [0.999, "does-not-fit"],
    [0, "does-not-fit"],
    [-1, "does-not-fit"],
  ] as const)("with %s times the need free: %s", (times, verdict) => {
    const fit = judgeFit(header, 8192, "f16", needed * times);
    expect(fit.verdict).toBe(verdict);
    expect(fit.neededBytes).toBe(needed);
    expect(fit.availableBytes).toBe(Math.max(0, Math.round(needed * times)));
  });

  it("says the numbers in one sentence", () => {
    const sentence = (free: number) => judgeFit(header, 8192, "f16", free).sentence;
    expect(sentence(8 * gibibyte)).toBe("Fits: needs about 0.9 GB of 8.0 GB free memory with a context of 8,192 tokens.");
    expect(sentence(needed * 1.1)).toMatch(/^Tight: .*8,192 tokens; .*slow/);
    expect(sentence(0.5 * gibibyte)).toBe("Does not fit: needs about 0.9 GB of 0.5 GB free memory with a context of 8,192 tokens.");
  });
});
