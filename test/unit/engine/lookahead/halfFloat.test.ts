import { describe, expect, it } from "vitest";
import { areFiniteHalves, floatsOfHalves } from "../../../../electron/engine/lookahead/halfFloat.ts";

describe("half precision", () => {
  it("is taken to single precision exactly, all 65,536 of it", () => {
    const all = Uint16Array.from({ length: 0x1_0000 }, (_, bits) => bits);
    const floats = floatsOfHalves(all);
    for (const bits of all) {
      const sign = bits & 0x8000 ? -1 : 1;
      const exponent = (bits >> 10) & 0x1f;
      const fraction = bits & 0x3ff;
      const special = fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
      const normal = exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
      const expected = exponent === 0x1f ? special : normal;
      if (!Object.is(floats[bits], expected)) expect(floats[bits], `0x${bits.toString(16)}`).toBe(expected);
    }
    expect([...floatsOfHalves(Uint16Array.of(0x3c00, 0xc000, 0x7bff, 0x0001))]).toEqual([1, -2, 65_504, 2 ** -24]);
  });

  it("is told from what is no number", () => {
    expect(areFiniteHalves(Uint16Array.of(0, 0x8000, 0x7bff, 0xfbff, 1))).toBe(true);
    for (const bits of [0x7c00, 0xfc00, 0x7c01, 0xffff]) expect(areFiniteHalves(Uint16Array.of(0, bits))).toBe(false);
  });
});
