import { medianOf } from "../quality/averages.ts";
import { quantile } from "../quality/bootstrap.ts";

/** From a person's inputs to the end of the frame after each, in milliseconds. */
export type Delays = {
  readonly inputs: number;
  readonly inputMedianMs: number;
  /** Nineteen of twenty are no slower. */
  readonly input95Ms: number;
  readonly inputLongestMs: number;
};

export function delaysOf(milliseconds: readonly number[]): Delays {
  const ascending = [...milliseconds].sort((one, other) => one - other);
  const tenths = (value: number) => Math.round(10 * value) / 10;
  return {
    inputs: ascending.length,
    inputMedianMs: tenths(medianOf(ascending)),
    input95Ms: ascending.length === 0 ? 0 : tenths(quantile(ascending, 0.95)),
    inputLongestMs: tenths(ascending.at(-1) ?? 0),
  };
}
