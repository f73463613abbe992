import { meanOf } from "../quality/averages.ts";

/** How a time grows with the length of the prompt: time = factor · length^exponent, and the points that it was fitted to. */
export type Growth = {
  readonly exponent: number;
  readonly factor: number;
  readonly points: readonly GrowthPoint[];
};
export type GrowthPoint = { readonly tokens: number; readonly ms: number };

/**
 * The least-squares line through the logarithms of both. An exponent of 1 is growth in proportion, 2 as the square.
 * @returns null for points of fewer than two lengths, or a time that is not above 0: a difference of two measurements may be below
 */
export function fitGrowth(points: readonly GrowthPoint[]): Growth | null {
  const lengths = new Set(points.map(({ tokens }) => tokens));
  if (lengths.size < 2 || points.some(({ tokens, ms }) => !(tokens > 0 && ms > 0))) return null;
  const places = points.map(({ tokens, ms }) => ({ x: Math.log(tokens), y: Math.log(ms) }));
  const meanX = meanOf(places.map(({ x }) => x));
  const meanY = meanOf(places.map(({ y }) => y));
  const covariance = meanOf(places.map(({ x, y }) => (x - meanX) * (y - meanY)));
  const variance = meanOf(places.map(({ x }) => (x - meanX) ** 2));
  const exponent = covariance / variance;
  return { exponent, factor: Math.exp(meanY - exponent * meanX), points };
}
