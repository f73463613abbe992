import { randomOf } from "../../electron/engine/lookahead/xoshiro.ts";
import { below, shuffled } from "../quality/chance.ts";

/** `single`: one needle. `several`: three more with other keys. `words`: the value is two words. `question-first`: before the text. */
export const variants = ["single", "several", "words", "question-first"] as const;
export type Variant = (typeof variants)[number];

/** A fact that is hidden in a text. */
export type Needle = {
  readonly key: string;
  readonly value: string;
  /** Where it is put, as a share of the text: 0 is its beginning. */
  readonly depth: number;
  readonly sentence: string;
};

/** One question about a text with needles. */
export type NeedleItem = {
  readonly index: number;
  /** The needle that is asked for comes first. */
  readonly needles: readonly [Needle, ...Needle[]];
  readonly question: string;
  /** How the answer begins; what comes next is the value. */
  readonly opening: string;
};

/** Words that keys and values are made of. */
export type Words = { readonly adjectives: readonly string[]; readonly nouns: readonly string[] };

const [shallowest, deepest] = [0.1, 0.9];
/** Needles of the variant `several`. */
const several = 4;
/** Fixes which keys and values there are. */
const seed = 20_26;

/** The depth of one of `count` items, spread evenly over 10 to 90 %; one alone lies in the middle. */
export function depthOf(index: number, count: number): number {
  return count === 1 ? (shallowest + deepest) / 2 : shallowest + ((deepest - shallowest) * index) / (count - 1);
}

/**
 * The items of a variant: the same for the same count, whatever the model.
 * @throws RangeError where there are too few words
 */
export function makeItems(variant: Variant, count: number, { adjectives, nouns }: Words): NeedleItem[] {
  const needlesEach = variant === "several" ? several : 1;
  const random = randomOf(seed, variants.indexOf(variant));
  const first = shuffled(adjectives, random);
  const second = shuffled(nouns, random);
  const keyOf = (number: number) => {
    const [adjective, noun] = [first[number % first.length], second[number % second.length]];
    if (adjective === undefined || noun === undefined || number >= second.length)
      throw new RangeError("There are too few words for the keys.");
    return `${adjective}-${noun}`;
  };
  const wordValue = () => [nouns, nouns].map((words) => words[below(random, words.length)] ?? "").join(" ");
  const digitValue = () => String(1_000_000 + below(random, 9_000_000));
  return Array.from({ length: count }, (_, index) => {
    const depth = depthOf(index, count);
    const needleAt = (place: number): Needle => {
      const key = keyOf(index * needlesEach + place);
      const value = variant === "words" ? wordValue() : digitValue();
      return { key, value, depth: shifted(depth, place / needlesEach), sentence: sentenceOf(variant, key, value) };
    };
    const asked = needleAt(0);
    const others = Array.from({ length: needlesEach - 1 }, (_other, place) => needleAt(place + 1));
    return { index, needles: [asked, ...others], ...questionOf(variant, asked.key) };
  });
}

/** A depth that lies a share of the range further on, beginning again at its top. */
function shifted(depth: number, share: number): number {
  if (share === 0) return depth;
  const range = deepest - shallowest;
  return shallowest + ((depth - shallowest + share * range) % range);
}

function sentenceOf(variant: Variant, key: string, value: string): string {
  return `One of the special magic ${variant === "words" ? "words" : "numbers"} for ${key} is: ${value}.`;
}

function questionOf(variant: Variant, key: string): Pick<NeedleItem, "question" | "opening"> {
  const thing = `special magic ${variant === "words" ? "word" : "number"} for ${key} mentioned in the text`;
  return { question: `What is the ${thing}?`, opening: `The ${thing} is` };
}

/** Whether a value stands in an answer: as a whole number, or as whole words in any case. */
export function isFound(value: string, answer: string): boolean {
  const plain = answer.toLowerCase().replace(/\s+/g, " ");
  const escaped = value.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "u").test(plain);
}
