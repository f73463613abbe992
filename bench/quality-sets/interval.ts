import { randomOf } from "../../electron/engine/lookahead/xoshiro.ts";
import { type Interval, quantile } from "../quality/bootstrap.ts";
import { below } from "../quality/chance.ts";

/** What an item adds: to what is measured, and to what it is measured by. */
export type Share = { readonly value: number; readonly by: number };

const resamples = 2000;

/**
 * The mean over tasks of what is measured, by the mean over tasks of what it is measured by, with the percentile bootstrap's 95 % interval:
 * each task's items are drawn anew from its own, so that tasks keep their weight. The same shares give the same interval.
 * @param tasks the items of each task, at least one
 * @returns null where there are no tasks, or all that it is measured by is 0
 * @throws RangeError for a task without items
 */
export function ratioOverTasks(tasks: readonly (readonly Share[])[]): Interval | null {
  if (tasks.some((items) => items.length === 0)) throw new RangeError("A task without items has no mean.");
  const random = randomOf(resamples);
  const mean = ratioOf(tasks, (items, place) => items[place]);
  if (!Number.isFinite(mean)) return null;
  const ratios = Array.from({ length: resamples }, () => ratioOf(tasks, (items) => items[below(random, items.length)]))
    .filter((ratio) => Number.isFinite(ratio))
    .sort((one, other) => one - other);
  return { mean, low: quantile(ratios, 0.025), high: quantile(ratios, 0.975) };
}

/** The mean over tasks, as {@link ratioOverTasks} has it. */
export function meanOverTasks(tasks: readonly (readonly number[])[]): Interval | null {
  return ratioOverTasks(tasks.map((items) => items.map((value) => ({ value, by: 1 }))));
}

/** @param take gives the item of each draw */
function ratioOf(tasks: readonly (readonly Share[])[], take: (items: readonly Share[], place: number) => Share | undefined): number {
  let value = 0;
  let by = 0;
  for (const items of tasks) {
    for (let place = 0; place < items.length; place++) {
      const share = take(items, place);
      value += (share?.value ?? 0) / items.length;
      by += (share?.by ?? 0) / items.length;
    }
  }
  return value / by;
}
