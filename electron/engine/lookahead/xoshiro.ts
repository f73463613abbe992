/** Makes one pseudo-random whole number after another, 0 … 2³² − 1. */
export type RandomNumbers = () => number;

/**
 * xoshiro128++ 1.0 (Blackman and Vigna, public domain).
 * @param state four 32-bit numbers, not all 0
 */
export function xoshiro128(state: readonly [number, number, number, number]): RandomNumbers {
  let [a, b, c, d] = state;
  return () => {
    const sum = (a + d) | 0;
    const result = ((((sum << 7) | (sum >>> 25)) + a) | 0) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
}

/** Numbers of their own for each list of whole numbers, by xoshiro128++ with a state from splitmix32. */
export function randomOf(...seeds: readonly number[]): RandomNumbers {
  let mixed = 0;
  const next = (): number => {
    mixed = (mixed + 0x9e37_79b9) | 0;
    let value = mixed;
    value = Math.imul(value ^ (value >>> 16), 0x21f0_aaad);
    value = Math.imul(value ^ (value >>> 15), 0x735a_2d97);
    return value ^ (value >>> 15);
  };
  for (const seed of seeds) mixed = next() ^ seed;
  return xoshiro128([next(), next(), next(), next()]);
}
