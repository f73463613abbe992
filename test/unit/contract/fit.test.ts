import { describe, expect, it } from "vitest";
import { defaultContext, neededBytes, roundContext } from "../../../electron/contract/fit.ts";

const gibibyte = 1024 ** 3;
const model = { fileBytes: 500_000_000, trainedContextLength: 32_768, kvBytesPerToken: { f16: 12_288, q8_0: 6_528, q4_0: 3_456 } };

describe("roundContext", () => {
  it("rounds up to llama.cpp's multiple of 256", () => {
    expect([1, 256, 257, 8191, 8192].map(roundContext)).toEqual([256, 256, 512, 8192, 8192]);
  });
});

describe("defaultContext", () => {
  it("is what the model was trained for, where there is room", () => {
    expect(defaultContext(model, "f16", 64 * gibibyte)).toBe(32_768);
    expect(defaultContext({ ...model, trainedContextLength: 8192 }, "f16", 64 * gibibyte)).toBe(8192);
  });

  it("is never more than 32,768 unasked", () => {
    expect(defaultContext({ ...model, trainedContextLength: 131_072 }, "f16", 64 * gibibyte)).toBe(32_768);
  });

  it("is never longer than the model was trained for, however short that is", () => {
    for (const trainedContextLength of [128, 256, 512, 1000]) {
      for (const free of [0, gibibyte, 64 * gibibyte]) {
        expect(defaultContext({ ...model, trainedContextLength }, "f16", free)).toBeLessThanOrEqual(roundContext(trainedContextLength));
      }
    }
  });

  it("keeps the whole below 70 % of the free memory, on llama.cpp's grid, at every size and cache type", () => {
    for (const kvType of ["f16", "q8_0", "q4_0"] as const) {
      for (let free = 1.3 * gibibyte; free < 4 * gibibyte; free += 0.1 * gibibyte) {
        const context = defaultContext(model, kvType, free);
        expect(context % 256).toBe(0);
        expect(context).toBeGreaterThanOrEqual(1024);
        expect(context).toBeLessThanOrEqual(32_768);
        if (context > 1024) expect(neededBytes(model, context, kvType)).toBeLessThanOrEqual(free * 0.7);
      }
    }
  });

  it("gets longer with a smaller cache type where memory is what limits it", () => {
    const free = 1.25 * gibibyte;
    const lengths = (["f16", "q8_0", "q4_0"] as const).map((kvType) => defaultContext(model, kvType, free));
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    expect(new Set(lengths).size).toBe(3);
  });

  it("stays at a usable 1,024 where there is no memory: the verdict says the rest", () => {
    expect(defaultContext(model, "f16", 0)).toBe(1024);
  });
});
