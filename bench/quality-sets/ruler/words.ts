import { type RandomNumbers, randomOf } from "../../../electron/engine/lookahead/xoshiro.ts";
import { shuffled } from "../../quality/chance.ts";
import { foundShare } from "../metrics/found.ts";
import type { Item, PromptText, ScoredTask } from "../task.ts";
import { lettersAtRandom, someAtRandom } from "./chance.ts";

/** Prompts shorter than this have fewer of each word. */
const longPrompt = 4096;
const commonWords = 10;
/** Words of a coded text that no prompt has room for. */
const mostCoded = 200_000;
const codedLength = 6;
/** Give each task chances of its own, beside those of the others. */
const streams = { common: 101, frequent: 102 } as const;
/** ζ(2), which makes shares of k^−2. */
const zetaOfTwo = Math.PI ** 2 / 6;

/**
 * RULER's common words: the ten that stand thirty times in a list where others stand three times; six and one in prompts below 4,096
 * tokens. A worked example of forty words, or twenty, comes first.
 * @param tokens of the whole prompt with its answer
 * @param words to draw from, each once
 */
export function commonWordsTask(words: readonly string[], tokens: number, count: number, seed: number): ScoredTask {
  const [often, rarely] = tokens < longPrompt ? [6, 1] : [30, 3];
  const [oftenThere, rarelyThere, exampleEnd] = tokens < longPrompt ? [3, 1, 20] : [10, 3, 40];
  return {
    name: "cwe",
    group: "ruler",
    answerTokens: 120,
    score: foundShare,
    endsWhenRight: true,
    keptShare: null,
    items: Array.from({ length: count }, (_, index) => {
      const chance = () => randomOf(seed, streams.common, index);
      const order = shuffled(words, chance());
      const example = order.slice(0, commonWords);
      const common = order.slice(exampleEnd, exampleEnd + commonWords);
      const rare = order.slice(exampleEnd + commonWords);
      const worked = listText([...repeated(example, oftenThere), ...repeated(order.slice(commonWords, exampleEnd), rarelyThere)], chance());
      const head = `${worked.head}${worked.context}${worked.question}\n${worked.opening} ${numbered(example)}\n\n`;
      return {
        id: String(index),
        gold: common,
        source: {
          kind: "grown",
          most: rare.length,
          at: (length) => {
            const text = listText([...repeated(common, often), ...repeated(rare.slice(0, length), rarely)], chance());
            return { ...text, head: `${head}${text.head}` };
          },
        },
      } satisfies Item;
    }),
  };
}

/**
 * RULER's frequent words: coded words as often as the zeta distribution (α = 2) has their ranks; the first rank is dots, the three behind
 * it are asked for.
 * @param tokens of the whole prompt with its answer
 */
export function frequentWordsTask(tokens: number, count: number, seed: number): ScoredTask {
  const answerTokens = 50;
  return {
    name: "fwe",
    group: "ruler",
    answerTokens,
    score: foundShare,
    endsWhenRight: true,
    keptShare: null,
    items: Array.from({ length: count }, (_, index) => {
      const chance = () => randomOf(seed, streams.frequent, index);
      const random = chance();
      const coded = Array.from({ length: Math.max(4, Math.floor((tokens - answerTokens) / 50)) }, (_word, rank) =>
        rank === 0 ? "..." : lettersAtRandom("a", codedLength, random),
      );
      return {
        id: String(index),
        gold: coded.slice(1, 4),
        source: { kind: "grown", most: mostCoded, at: (length) => codedText(coded, length, chance()) },
      } satisfies Item;
    }),
  };
}

const numbered = (words: readonly string[]) => words.map((word, index) => `${index + 1}. ${word}`).join(" ");

const repeated = (words: readonly string[], times: number) => words.flatMap((word) => Array.from({ length: times }, () => word));

function listText(words: readonly string[], random: RandomNumbers): PromptText {
  return {
    head: "Here is a numbered list of words. Some of them stand in it more often than others. Remember those that do.\n",
    context: numbered(someAtRandom(words, words.length, random)),
    question: `\nQuestion: Which ${commonWords} words stand in the list most often?`,
    opening: `Answer: The ${commonWords} words that stand in the list most often are:`,
  };
}

function codedText(coded: readonly string[], length: number, random: RandomNumbers): PromptText {
  const words = coded.flatMap((word, rank) => Array.from({ length: Math.floor((length * (rank + 1) ** -2) / zetaOfTwo) }, () => word));
  return {
    head: "Read the coded text below and count how often each coded word stands in it.\n",
    context: shuffled(words, random).join(" "),
    question: "\nQuestion: Leave the dots “...” aside and explain nothing. Which three coded words stand most often in the text above?",
    opening: "Answer: The three coded words that stand most often in the text above are:",
  };
}
