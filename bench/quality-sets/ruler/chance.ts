import type { RandomNumbers } from "../../../electron/engine/lookahead/xoshiro.ts";
import { below, shuffled } from "../../quality/chance.ts";

/** One of some things. @throws RangeError where there are none */
export function oneAtRandom<Thing>(things: readonly Thing[], random: RandomNumbers): Thing {
  const [thing] = things.slice(below(random, things.length)).slice(0, 1);
  if (thing === undefined) throw new RangeError("There is nothing to choose from.");
  return thing;
}

/** Some different ones. @throws RangeError where there are fewer */
export function someAtRandom<Thing>(things: readonly Thing[], count: number, random: RandomNumbers): Thing[] {
  if (things.length < count) throw new RangeError(`There are ${things.length} to choose from, and ${count} are wanted.`);
  return shuffled(things, random).slice(0, count);
}

/** Letters in a row. @param from the first letter of the alphabet they come from, “a” or “A” */
export function lettersAtRandom(from: "a" | "A", count: number, random: RandomNumbers): string {
  return Array.from({ length: count }, () => String.fromCharCode(from.charCodeAt(0) + below(random, 26))).join("");
}

/** A UUID of version 4, which says of itself that chance made it. */
export function uuidAtRandom(random: RandomNumbers): string {
  const digits = Array.from({ length: 32 }, () => below(random, 16).toString(16));
  digits[12] = "4";
  digits[16] = (8 + below(random, 4)).toString(16);
  return digits.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
