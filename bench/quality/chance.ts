import type { RandomNumbers } from "../../electron/engine/lookahead/xoshiro.ts";

/** A whole number from 0 to below `limit`. */
export function below(random: RandomNumbers, limit: number): number {
  return Math.floor((random() / 2 ** 32) * limit);
}

/** The same things in an order that chance decides (Fisher and Yates). */
export function shuffled<Thing>(things: readonly Thing[], random: RandomNumbers): Thing[] {
  const order = Array.from(things.keys());
  for (let last = order.length - 1; last > 0; last--) {
    const other = below(random, last + 1);
    const [one, two] = [order[last], order[other]];
    if (one !== undefined && two !== undefined) [order[last], order[other]] = [two, one];
  }
  return order.flatMap((index) => things.slice(index, index + 1));
}
