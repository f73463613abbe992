import { randomOf } from "../../electron/engine/lookahead/xoshiro.ts";
import { below } from "./chance.ts";

/** A mean and its 95 % interval. */
export type Interval = { readonly mean: number; readonly low: number; readonly high: number };

const resamples = 10_000;

/**
 * The mean of all values, with the percentile bootstrap's 95 % interval over whole groups: values of one document are not independent
 * of each other. The same values give the same interval.
 * @param groups the values by document
 * @throws RangeError where there is no value
 */
export function bootstrapMean(groups: readonly (readonly number[])[]): Interval {
  const filled = groups.filter((group) => group.length > 0);
  if (filled.length === 0) throw new RangeError("There are no values to take the mean of.");
  const totals = filled.map((group) => ({ sum: group.reduce((sum, value) => sum + value, 0), count: group.length }));
  const random = randomOf(resamples);
  const means = Float64Array.from({ length: resamples }, () => meanOf(totals.length, () => totals[below(random, totals.length)]));
  means.sort();
  return {
    mean: meanOf(totals.length, (group) => totals[group]),
    low: quantile(means, 0.025),
    high: quantile(means, 0.975),
  };
}

/** @param take gives the group of each draw */
function meanOf(draws: number, take: (draw: number) => { sum: number; count: number } | undefined): number {
  let sum = 0;
  let count = 0;
  for (let draw = 0; draw < draws; draw++) {
    const group = take(draw);
    sum += group?.sum ?? 0;
    count += group?.count ?? 0;
  }
  return sum / count;
}

/** Between the two nearest of ascending values. */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  const place = share * (ascending.length - 1);
  const lower = ascending[Math.floor(place)] ?? Number.NaN;
  const upper = ascending[Math.ceil(place)] ?? Number.NaN;
  return lower + (upper - lower) * (place - Math.floor(place));
}
