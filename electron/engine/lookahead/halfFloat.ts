/** IEEE 754 half-precision numbers, as ggml's F16 tensors hold them, in single precision. Exact for every value. */
export function floatsOfHalves(halves: Uint16Array): Float32Array {
  const bits = new Uint32Array(halves.length);
  for (let index = 0; index < halves.length; index++) {
    const half = halves[index] ?? 0;
    const sign = (half & 0x8000) << 16;
    let exponent = (half >>> 10) & 0x1f;
    let fraction = half & 0x3ff;
    if (exponent === 0x1f) {
      bits[index] = sign | 0x7f80_0000 | (fraction << 13);
    } else if (exponent !== 0) {
      bits[index] = sign | ((exponent + 112) << 23) | (fraction << 13);
    } else if (fraction === 0) {
      bits[index] = sign;
    } else {
      // Below the smallest normal half: normal in single precision, once the leading one is found.
      exponent = 113;
      while ((fraction & 0x400) === 0) {
        fraction <<= 1;
        exponent -= 1;
      }
      bits[index] = sign | (exponent << 23) | ((fraction & 0x3ff) << 13);
    }
  }
  return new Float32Array(bits.buffer);
}

/** Whether every number is one: neither infinite nor NaN. */
export function areFiniteHalves(halves: Uint16Array): boolean {
  return halves.every((half) => (half & 0x7c00) !== 0x7c00);
}
