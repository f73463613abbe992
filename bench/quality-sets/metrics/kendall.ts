/**
 * Kendall's rank correlation τ-b of two lists of numbers, −1 … 1, with ties taken into account, in O(n log n) (Knight 1966).
 * @returns null where one of the lists has only equal numbers: there is no order to compare
 * @throws RangeError for lists of different lengths
 */
export function kendallTau(one: Float32Array, other: Float32Array): number | null {
  const count = one.length;
  if (other.length !== count) throw new RangeError(`There are ${count} numbers, and ${other.length} to compare them with.`);
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  order.sort((left, right) => valueAt(one, left) - valueAt(one, right) || valueAt(other, left) - valueAt(other, right));
  const first = Float64Array.from(order, (index) => valueAt(one, index));
  const second = Float64Array.from(order, (index) => valueAt(other, index));
  const pairs = pairsOf(count);
  const tiedFirst = tiedPairs(first, () => true);
  const tiedBoth = tiedPairs(first, (index) => second[index] === second[index - 1]);
  const exchanges = sortCounting(second);
  const tiedSecond = tiedPairs(second, () => true);
  const scale = Math.sqrt((pairs - tiedFirst) * (pairs - tiedSecond));
  return scale === 0 ? null : (pairs - tiedFirst - tiedSecond + tiedBoth - 2 * exchanges) / scale;
}

const valueAt = (values: Float32Array, index: number): number => values[index] ?? 0;
const pairsOf = (count: number): number => (count * (count - 1)) / 2;

/** Pairs within runs of equal neighbours. @param isRun what an equal neighbour has to fulfil besides */
function tiedPairs(values: Float64Array, isRun: (index: number) => boolean): number {
  let pairs = 0;
  let run = 1;
  for (let index = 1; index <= values.length; index++) {
    if (index < values.length && values[index] === values[index - 1] && isRun(index)) {
      run += 1;
    } else {
      pairs += pairsOf(run);
      run = 1;
    }
  }
  return pairs;
}

/** Sorts ascending, by merging. @returns how many pairs stood the wrong way round */
function sortCounting(values: Float64Array): number {
  let exchanges = 0;
  let from: Float64Array = values;
  let to: Float64Array = new Float64Array(values.length);
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      let [left, right] = [start, middle];
      for (let place = start; place < end; place++) {
        const [leftValue = 0, rightValue = 0] = [from[left], from[right]];
        if (right >= end || (left < middle && leftValue <= rightValue)) {
          to[place] = leftValue;
          left += 1;
        } else {
          to[place] = rightValue;
          right += 1;
          exchanges += middle - left;
        }
      }
    }
    [from, to] = [to, from];
  }
  if (from !== values) values.set(from);
  return exchanges;
}
