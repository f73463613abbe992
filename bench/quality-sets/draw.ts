import { randomOf } from "../../electron/engine/lookahead/xoshiro.ts";
import { shuffled } from "../quality/chance.ts";

/** Fixes which items are drawn; RULER's own. */
export const seed = 42;

/**
 * Draws things as evenly from their documents as can be: a first one from each, then a second one, in an order that chance decides once.
 * Fewer are the beginning of more.
 * @returns at most `count`
 */
export function drawEvenly<Thing>(things: readonly Thing[], documentOf: (thing: Thing) => string, count: number): Thing[] {
  const random = randomOf(seed);
  const byDocument = new Map<string, Thing[]>();
  for (const thing of things) {
    const own = byDocument.get(documentOf(thing));
    if (own === undefined) byDocument.set(documentOf(thing), [thing]);
    else own.push(thing);
  }
  const documents = shuffled([...byDocument.values()], random).map((own) => shuffled(own, random));
  const most = documents.reduce((longest, own) => Math.max(longest, own.length), 0);
  return Array.from({ length: most }, (_, round) => documents.flatMap((own) => own.slice(round, round + 1)))
    .flat()
    .slice(0, count);
}

/**
 * One list in which the lists take turns, so that its beginning has as much of each as can be.
 */
export function inTurns<Thing>(lists: readonly (readonly Thing[])[]): Thing[] {
  const most = lists.reduce((longest, list) => Math.max(longest, list.length), 0);
  return Array.from({ length: most }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1))).flat();
}
