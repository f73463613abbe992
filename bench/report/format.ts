import { medianOf } from "../quality/averages.ts";

/** Figures as people read them. */

/** A mean and its interval. */
type Interval = { readonly mean: number; readonly low: number; readonly high: number };

/** A true minus, so that a sign is not taken for a hyphen. */
const signed = (text: string): string => text.replace("-", "−");

/** A fixed number of places behind the point. @throws RangeError for what is no number: a figure that a raw file lacks */
export function decimal(value: number, places: number): string {
  if (!Number.isFinite(value)) throw new RangeError("a figure is missing");
  return signed(value.toFixed(places));
}

/** Whole, with separators between thousands. */
export const whole = (value: number): string => signed(Math.round(value).toLocaleString("en"));

/** @param share 1 is the whole */
export const percent = (share: number, places = 1): string => `${decimal(share * 100, places)} %`;

export const megabytes = (bytes: number): string => `${decimal(bytes / 1e6, 1)} MB`;

/** Milliseconds below a second, else seconds. */
export function duration(milliseconds: number): string {
  if (Math.abs(milliseconds) >= 1000) return `${decimal(milliseconds / 1000, 1)} s`;
  return `${decimal(milliseconds, Math.abs(milliseconds) < 10 ? 1 : 0)} ms`;
}

export const times = (factor: number): string => `${decimal(factor, 2)} times`;

export const interval = ({ mean, low, high }: Interval): string => `${decimal(mean, 3)} (${decimal(low, 3)} to ${decimal(high, 3)})`;

/** The day of an ISO 8601 time. */
export const day = (date: string): string => date.slice(0, 10);

/** @throws RangeError for no values, or one that is no number: it would be sorted anywhere */
export function median(values: readonly number[]): number {
  if (!values.every(Number.isFinite)) throw new RangeError("a figure is missing");
  if (values.length === 0) throw new RangeError("There is no middle of nothing.");
  return medianOf(values);
}
