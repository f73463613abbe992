import { type RandomNumbers, randomOf } from "../../../electron/engine/lookahead/xoshiro.ts";
import { below } from "../../quality/chance.ts";
import { foundShare } from "../metrics/found.ts";
import type { PromptText, ScoredTask } from "../task.ts";
import { lettersAtRandom } from "./chance.ts";
import { drawDepths, insertAt, noise } from "./haystack.ts";

/** How often a variable's value is passed on to another one. */
const hops = 4;
/** Lines of noise in the worked example, which make it some 500 tokens long, and letters of its names. */
const exampleLines = 15;
const exampleLetters = 3;
const nameLetters = 5;
/** Gives this task chances of its own, beside those of the needle tasks. */
const stream = 100;
/** More lines of noise than any model has room for. */
const mostLines = 100_000;

type Chain = { readonly variables: readonly string[]; readonly value: string; readonly depths: readonly number[] };

/** RULER's variable tracking: which variables have a value, of a chain of assignments in noise; a worked example comes first. */
export function variableTask(count: number, seed: number): ScoredTask {
  return {
    name: "vt",
    group: "ruler",
    answerTokens: 30,
    score: foundShare,
    endsWhenRight: true,
    keptShare: null,
    items: Array.from({ length: count }, (_, index) => {
      const random = randomOf(seed, stream, index);
      const example = drawChain(random, exampleLetters);
      const chain = drawChain(random, nameLetters);
      const worked = textOf(example, exampleLines);
      const head = `${worked.head}${worked.context}${worked.question}\n${worked.opening} ${example.variables.join(" ")}\n\n`;
      return {
        id: String(index),
        gold: chain.variables,
        source: {
          kind: "grown",
          most: mostLines,
          at: (lines) => {
            const text = textOf(chain, lines);
            return { ...text, head: `${head}${text.head}` };
          },
        },
      };
    }),
  };
}

function drawChain(random: RandomNumbers, letters: number): Chain {
  const variables = new Set<string>();
  while (variables.size <= hops) variables.add(lettersAtRandom("A", letters, random));
  return {
    variables: [...variables],
    value: String(10_000 + below(random, 90_000)),
    depths: drawDepths(hops + 1, random),
  };
}

function textOf({ variables, value, depths }: Chain, lines: number): PromptText {
  const assignments = variables.map((name, index) => `VAR ${name} = ${index === 0 ? value : `VAR ${variables[index - 1]}`}`);
  return {
    head: "Keep track of the variables that are assigned in the text below.\n\n",
    context: insertAt(
      Array.from({ length: lines }, () => noise),
      assignments,
      depths,
    ).join("\n"),
    question: `\nQuestion: Which variables have the value ${value}, assigned directly or through another variable?`,
    opening: `Answer: By the assignments in the text above, ${variables.length} variables have the value ${value}:`,
  };
}
