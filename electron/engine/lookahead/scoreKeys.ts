// Scores as integers in the same order. The bits of floats that are at least 0 grow with the float; integers compare without a
// branch and can be counted by their digits.

/** Key of what is no score (NaN, a negative number) and of the places beyond a row's ends: less than any score's. */
export const noScore = -1;

/** Greater than any score's key, Infinity's too. */
export const alwaysKept = 0x7fff_ffff;

/** Key of a score of Infinity: from here on a token is kept whatever the others' scores. */
export const infinityKey = 0x7f80_0000;
const minusZeroBits = -0x8000_0000;

/** Writes the keys of `count` scores from `offset` on into `keys` from `at` on. Each is {@link noScore} or 0 … the bits of Infinity. */
export function writeKeys(values: Float32Array, offset: number, count: number, keys: Int32Array, at: number): void {
  const bits = new Int32Array(values.buffer, values.byteOffset + offset * 4, count);
  for (let index = 0; index < count; index++) {
    const own = bits[index] ?? 0;
    keys[at + index] = own >= 0 && own <= infinityKey ? own : own === minusZeroBits ? 0 : noScore;
  }
}

/** The way back: {@link noScore} becomes a NaN. */
export function readKeys(keys: Int32Array, at: number, count: number, values: Float32Array, offset: number): void {
  // The bits of -1 are a NaN's.
  new Int32Array(values.buffer, values.byteOffset + offset * 4, count).set(keys.subarray(at, at + count));
}
