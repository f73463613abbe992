// A radix select: counts keys by their leading digits until the key of the last place is known. Linear, exact, whatever the keys.

/** Leading digits of a key, then the next ten bits and the last ten. */
const leadingShift = 20;
const lowerShifts = [10, 0];
const lowerMask = 1023;

/** Picks the greatest keys of one row after another, in memory of its own. */
export type TopKeys = {
  /**
   * Writes the places of the `budget` greatest of the first `tokens` keys (each -1 or more), ascending, into `kept` from `at` on. Of
   * equal keys the first ones are taken, so what a budget takes is within what the next one takes.
   */
  pick(keys: Int32Array, budget: number, kept: Uint32Array, at: number): void;
};

/** @param tokens keys of a row; no fewer than a budget, which is at least 1 */
export function createTopKeys(tokens: number): TopKeys {
  const counts = new Uint32Array((0x7fff_ffff >> leadingShift) + 2);
  const candidates = new Int32Array(tokens);

  /** Finds the digit where `wanted` keys from the top are reached, and how many of that digit are wanted then. */
  function countDown(wanted: number): { digit: number; left: number } {
    let digit = counts.length - 1;
    let left = wanted;
    for (; digit > 0; digit--) {
      const count = counts[digit] ?? 0;
      if (count >= left) break;
      left -= count;
    }
    return { digit, left };
  }

  /** The least key that is taken, and how many of those equal to it are. */
  function lastTaken(keys: Int32Array, budget: number): { key: number; equals: number } {
    counts.fill(0);
    for (let index = 0; index < tokens; index++) {
      // One up, for the -1 of what is no score.
      const digit = ((keys[index] ?? 0) >> leadingShift) + 1;
      counts[digit] = (counts[digit] ?? 0) + 1;
    }
    let { digit, left } = countDown(budget);
    let key = digit - 1;
    let length = 0;
    for (let index = 0; index < tokens; index++) {
      const own = keys[index] ?? 0;
      if (own >> leadingShift === key) candidates[length++] = own;
    }
    for (const shift of lowerShifts) {
      counts.fill(0);
      for (let index = 0; index < length; index++) {
        const lower = ((candidates[index] ?? 0) >> shift) & lowerMask;
        counts[lower] = (counts[lower] ?? 0) + 1;
      }
      ({ digit, left } = countDown(left));
      key = (key << 10) | digit;
      let narrowed = 0;
      for (let index = 0; index < length; index++) {
        const own = candidates[index] ?? 0;
        if (own >> shift === key) candidates[narrowed++] = own;
      }
      length = narrowed;
    }
    return { key, equals: left };
  }

  return {
    pick(keys, budget, kept, at) {
      const { key, equals } = lastTaken(keys, budget);
      const end = at + budget;
      let place = at;
      let equalsLeft = equals;
      for (let index = 0; place < end; index++) {
        const own = keys[index] ?? 0;
        if (own > key) kept[place++] = index;
        else if (own === key && equalsLeft > 0) {
          kept[place++] = index;
          equalsLeft -= 1;
        }
      }
    },
  };
}
