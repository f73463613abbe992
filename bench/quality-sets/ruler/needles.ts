import { type RandomNumbers, randomOf } from "../../../electron/engine/lookahead/xoshiro.ts";
import { below, shuffled } from "../../quality/chance.ts";
import { foundShare } from "../metrics/found.ts";
import type { Item, PromptText, ScoredTask } from "../task.ts";
import { oneAtRandom, uuidAtRandom } from "./chance.ts";
import { drawDepths, insertAt, noise, sentencesOf } from "./haystack.ts";

/** Words for keys, and the essays as one list of words each. */
export type NeedleSources = {
  readonly adjectives: readonly string[];
  readonly nouns: readonly string[];
  readonly essays: readonly (readonly string[])[];
};

type Kind = "words" | "numbers" | "uuids";
type Settings = {
  readonly haystack: "noise" | "essay" | "needle";
  readonly key: Kind;
  readonly value: Kind;
  /** Needles with different keys, how many values each has, and how many keys are asked for. */
  readonly keys: number;
  readonly values: number;
  readonly asked: number;
};

const single: Settings = { haystack: "essay", key: "words", value: "numbers", keys: 1, values: 1, asked: 1 };

/** RULER's synthetic.yaml. */
const variants: Readonly<Record<string, Settings>> = {
  niah_single_1: { ...single, haystack: "noise" },
  niah_single_2: single,
  niah_single_3: { ...single, value: "uuids" },
  niah_multikey_1: { ...single, keys: 4 },
  niah_multikey_2: { ...single, haystack: "needle" },
  niah_multikey_3: { ...single, haystack: "needle", key: "uuids", value: "uuids" },
  niah_multivalue: { ...single, values: 4 },
  niah_multiquery: { ...single, keys: 4, asked: 4 },
};

/** More pieces of a haystack than any model has room for. */
const mostPieces = 100_000;

/** Names of RULER's eight needle tasks. */
export const needleTaskNames: readonly string[] = Object.keys(variants);

/**
 * One of RULER's needle tasks.
 * @param seed the same seed and sources give the same items
 * @throws RangeError for a name that is not there
 */
export function needleTask(name: string, sources: NeedleSources, count: number, seed: number): ScoredTask {
  const settings = variants[name];
  if (settings === undefined) throw new RangeError(`There is no needle task ${name}.`);
  const variant = needleTaskNames.indexOf(name);
  return {
    name,
    group: "ruler",
    answerTokens: 128,
    score: foundShare,
    endsWhenRight: true,
    keptShare: null,
    items: Array.from({ length: count }, (_, index) => needleItem(settings, sources, index, randomOf(seed, variant, index))),
  };
}

function needleItem(settings: Settings, sources: NeedleSources, index: number, random: RandomNumbers): Item {
  const draw = (kind: Kind): string => {
    if (kind === "uuids") return uuidAtRandom(random);
    if (kind === "numbers") return String(1_000_000 + below(random, 9_000_000));
    return `${oneAtRandom(sources.adjectives, random)}-${oneAtRandom(sources.nouns, random)}`;
  };
  const pairs = Array.from({ length: settings.keys }, () => ({
    key: draw(settings.key),
    values: Array.from({ length: settings.values }, () => draw(settings.value)),
  }));
  const sentenceOf = (key: string, value: string) => `One of the special magic ${settings.value} for ${key} is: ${value}.`;
  const needles = shuffled(
    pairs.flatMap(({ key, values }) => values.map((value) => sentenceOf(key, value))),
    random,
  );
  const depths = drawDepths(needles.length, random);
  const asked = pairs.slice(0, settings.asked);
  const words = settings.haystack === "essay" ? rotated(sources.essays, index).flat() : [];
  // Drawn once and not for each length, so that a longer text has the shorter one's distractors.
  const distractors: string[] = [];
  const piecesOf = (length: number): string[] => {
    if (settings.haystack === "essay") return sentencesOf(words.slice(0, length).join(" "));
    if (settings.haystack === "noise") return Array.from({ length }, () => noise);
    while (distractors.length < length) distractors.push(sentenceOf(draw(settings.key), draw(settings.value)));
    return distractors.slice(0, length);
  };
  const joint = settings.haystack === "essay" ? " " : "\n";
  const most = settings.haystack === "essay" ? words.length : mostPieces;
  return {
    id: String(index),
    gold: asked.flatMap(({ values }) => values),
    source: {
      kind: "grown",
      most,
      at: (length) =>
        promptOf(
          settings.value,
          asked.map(({ key }) => key),
          asked.length * settings.values > 1,
          insertAt(piecesOf(length), needles, depths).join(joint),
        ),
    },
  };
}

/** The wording of RULER's template: of one value, and of several. */
function promptOf(kind: Kind, keys: readonly string[], areSeveral: boolean, context: string): PromptText {
  const thing = kind.replace(/s$/, "");
  const query = keys.length > 1 ? `${keys.slice(0, -1).join(", ")}, and ${keys.at(-1)}` : keys.join("");
  const about = `for ${query} mentioned in the provided text`;
  return areSeveral
    ? {
        head: `Some special magic ${kind} are hidden within the following text. Make sure to memorize it. I will quiz you about the ${kind} afterwards.\n`,
        context,
        question: `\nWhat are all the special magic ${kind} ${about}?`,
        opening: `The special magic ${kind} ${about} are`,
      }
    : {
        head: `A special magic ${thing} is hidden within the following text. Make sure to memorize it. I will quiz you about the ${thing} afterwards.\n`,
        context,
        question: `\nWhat is the special magic ${thing} ${about}?`,
        opening: `The special magic ${thing} ${about} is`,
      };
}

/** The same list, begun at another place: else all items would have the same essay around their needles. */
function rotated<Thing>(things: readonly Thing[], by: number): Thing[] {
  const from = things.length === 0 ? 0 : by % things.length;
  return [...things.slice(from), ...things.slice(0, from)];
}
