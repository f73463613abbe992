import { join } from "node:path";
import type { z } from "zod";
import { cacheFolder } from "../../electron/engine/folders.ts";
import { progress } from "../../scripts/progress.mjs";
import { type Journal, openJournal } from "./journal.ts";

type Measurement<Item, Outcome extends object> = {
  readonly bench: string;
  /** Everything that decides what comes out. */
  readonly run: unknown;
  readonly items: readonly Item[];
  readonly schema: z.ZodType<Outcome>;
  /** Whether an outcome is this item's. */
  readonly isOf: (outcome: Outcome, item: Item) => boolean;
  /** What people read beside the bar. */
  readonly step: string;
  /** @param isFirst whether it is the first one that this call measures */
  readonly measure: (item: Item, isFirst: boolean, secondsSoFar: () => number) => Promise<Outcome>;
  /** A line for people about what came of an item; null: none. */
  readonly lineOf: ((outcome: Outcome) => string) | null;
  /** Asked before each item: whether none is to be begun any more. Left out, all of them are. */
  readonly isOver?: () => boolean;
};

/** Says whether so many minutes have gone by since it was made; never for null. */
export function isOverAfter(minutes: number | null): () => boolean {
  const started = performance.now();
  return () => minutes !== null && performance.now() - started > minutes * 60_000;
}

/**
 * Measures items one after the other, showing how far it is, and goes on where an earlier call was ended.
 * @returns the outcomes in the items' order (fewer than items where it was over before), and the journal, to be removed when the results are written
 */
export async function measureItems<Item, Outcome extends object>({
  bench,
  run,
  items,
  schema,
  isOf,
  step,
  measure,
  lineOf,
  isOver = () => false,
}: Measurement<Item, Outcome>): Promise<{ outcomes: Outcome[]; journal: Journal<Outcome> }> {
  const journal = await openJournal(join(cacheFolder(), "bench"), bench, run, schema);
  const found = () => items.map((item) => journal.items.find((outcome) => isOf(outcome, item)));
  const before = found();
  const missing = items.filter((_, place) => before[place] === undefined);
  const shown = progress();
  const done = items.length - missing.length;
  if (done > 0) shown.note(`Going on with a run that was ended: ${done} of ${items.length} items are there.`);
  for (const [place, item] of missing.entries()) {
    if (isOver()) break;
    shown.say(step, place / missing.length);
    const started = performance.now();
    const outcome = await measure(item, place === 0, () => Math.round(performance.now() - started) / 1000);
    await journal.add(outcome);
    if (lineOf !== null) shown.note(lineOf(outcome));
  }
  shown.say(step, 1);
  shown.end();
  return { outcomes: found().filter((outcome) => outcome !== undefined), journal };
}
