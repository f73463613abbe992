import { describe, expect, it } from "vitest";
import { drawDepths, insertAt, noise } from "../../../../bench/quality-sets/ruler/haystack.ts";
import { needleTask, needleTaskNames } from "../../../../bench/quality-sets/ruler/needles.ts";
import { variableTask } from "../../../../bench/quality-sets/ruler/variables.ts";
import { commonWordsTask, frequentWordsTask } from "../../../../bench/quality-sets/ruler/words.ts";
import type { Item, PromptText } from "../../../../bench/quality-sets/task.ts";
import { randomOf } from "../../../../electron/engine/lookahead/xoshiro.ts";

const words = Array.from({ length: 400 }, (_, index) => `word${String.fromCharCode(97 + (index % 26))}${index}`);
const essay = (name: string) => Array.from({ length: 900 }, (_, index) => (index % 9 === 8 ? `${name}${index}.` : `${name}${index}`));
const sources = { adjectives: ["calm", "brave", "quiet", "early"], nouns: words, essays: [essay("one"), essay("two")] };

function textAt({ source }: Item, count: number): PromptText {
  if (source.kind !== "grown") throw new TypeError("It does not grow.");
  return source.at(count);
}
const itemOf = (items: readonly Item[], index = 0): Item => {
  const item = items[index];
  if (item === undefined) throw new RangeError("There is no such item.");
  return item;
};
const countOf = (text: string, part: string) => text.split(part).length - 1;

describe("RULER's needles", () => {
  it("are eight tasks, with all that is asked for in the context and not in the question", () => {
    expect(needleTaskNames).toHaveLength(8);
    for (const name of needleTaskNames) {
      const { items, score } = needleTask(name, sources, 3, 42);
      for (const item of items) {
        const { context, question, opening } = textAt(item, 60);
        expect(score(context, item.gold)).toBe(1);
        expect(score(question + opening, item.gold)).toBe(0);
      }
    }
  });

  it.each([
    ["niah_single_1", 1, 1, /^\d{7}$/],
    ["niah_single_2", 1, 1, /^\d{7}$/],
    ["niah_single_3", 1, 1, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
    ["niah_multikey_1", 4, 1, /^\d{7}$/],
    ["niah_multivalue", 4, 4, /^\d{7}$/],
    ["niah_multiquery", 4, 4, /^\d{7}$/],
  ])("%s has %i needles and asks for %i values", (name, needles, asked, form) => {
    const item = itemOf(needleTask(name, sources, 1, 42).items);
    expect(countOf(textAt(item, 50).context, "One of the special magic")).toBe(needles);
    expect(item.gold).toHaveLength(asked);
    for (const value of item.gold) expect(value).toMatch(form);
  });

  it("lie among needles where the haystack is made of them, and a longer one has those of a shorter one", () => {
    const item = itemOf(needleTask("niah_multikey_3", sources, 1, 42).items);
    const long = textAt(item, 20).context.split("\n");
    expect(long).toHaveLength(21);
    expect(new Set(long).size).toBe(21);
    for (const line of textAt(item, 10).context.split("\n")) expect(long).toContain(line);
  });

  it("are the same each time, and other ones for each item and task", () => {
    const golds = (name: string, count: number) => needleTask(name, sources, count, 42).items.map(({ gold }) => gold);
    expect(golds("niah_single_2", 5)).toEqual(golds("niah_single_2", 5));
    expect(golds("niah_single_2", 5).slice(0, 2)).toEqual(golds("niah_single_2", 2));
    expect(new Set([...golds("niah_single_2", 5), ...golds("niah_single_1", 5)].flat()).size).toBe(10);
  });

  it("are asked for by all their keys", () => {
    const { question, opening } = textAt(itemOf(needleTask("niah_multiquery", sources, 1, 42).items), 10);
    expect(question).toMatch(/^\nWhat are all the special magic numbers for \w+-\w+, \w+-\w+, \w+-\w+, and \w+-\w+ mentioned/);
    expect(opening).toMatch(/^The special magic numbers for .* mentioned in the provided text are$/);
  });
});

describe("a haystack", () => {
  it("has needles at their depths, in their order", () => {
    expect(insertAt(["a", "b", "c", "d"], ["X", "Y", "Z"], [0, 0.5, 1])).toEqual(["X", "a", "b", "Y", "c", "d", "Z"]);
    expect(insertAt([], ["X", "Y"], [0, 1])).toEqual(["X", "Y"]);
  });

  it("has forty depths from its beginning to its end", () => {
    const all = drawDepths(40, randomOf(1));
    expect(all[0]).toBe(0);
    expect(all.at(-1)).toBe(1);
    expect(() => drawDepths(41, randomOf(1))).toThrow(RangeError);
  });
});

describe("variable tracking", () => {
  it("has a chain of five variables in order, an example before it, and asks for its value", () => {
    const item = itemOf(variableTask(1, 42).items);
    const { head, context, question } = textAt(item, 30);
    const [, value = ""] = /have the value (\d{5}),/.exec(question) ?? [];
    const [first, second, third, fourth, fifth] = item.gold;
    const lines = context.split("\n").filter((line) => line !== noise);
    expect(lines).toEqual([
      `VAR ${first} = ${value}`,
      `VAR ${second} = VAR ${first}`,
      `VAR ${third} = VAR ${second}`,
      `VAR ${fourth} = VAR ${third}`,
      `VAR ${fifth} = VAR ${fourth}`,
    ]);
    expect(countOf(context, noise)).toBe(30);
    expect(countOf(head, "VAR ")).toBe(9);
    // RULER's example: names of three letters, some 500 tokens.
    expect(head.match(/VAR [A-Z]+ =/g)?.every((name) => /^VAR [A-Z]{3} =$/.test(name))).toBe(true);
    expect(countOf(head, noise)).toBe(15);
    expect(item.gold.some((name) => head.includes(name))).toBe(false);
  });
});

describe("common words", () => {
  it.each([
    [2048, 6, 1, 10 * 3 + 10 * 1],
    [4096, 30, 3, 10 * 10 + 30 * 3],
  ])("stand in a list of a prompt of %i tokens %i times, the others %i times", (tokens, often, rarely, ofExample) => {
    const item = itemOf(commonWordsTask(words, tokens, 1, 42).items);
    const { head } = textAt(item, 20);
    const [example = ""] = head.split("\nQuestion:");
    expect(example.match(/\d+\. /g)).toHaveLength(ofExample);
    const list = textAt(item, 20)
      .context.split(/ ?\d+\. /)
      .slice(1);
    expect(list).toHaveLength(10 * often + 20 * rarely);
    const counts = new Map<string, number>();
    for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1);
    expect(
      [...counts]
        .filter(([, count]) => count === often)
        .map(([word]) => word)
        .sort(),
    ).toEqual([...item.gold].sort());
    expect([...counts.values()].filter((count) => count === rarely)).toHaveLength(20);
  });
});

describe("frequent words", () => {
  it("are the three behind the dots, as often as the zeta distribution has them", () => {
    const item = itemOf(frequentWordsTask(2000, 1, 42).items);
    const list = textAt(item, 1000).context.split(" ");
    const countIn = (wanted: string) => list.filter((word) => word === wanted).length;
    // 1000 / (π²/6) = 607.9 by 1, 4, 9 and 16.
    expect(countIn("...")).toBe(607);
    expect(item.gold.map(countIn)).toEqual([151, 67, 37]);
    expect(item.gold.every((word) => /^[a-z]{6}$/.test(word))).toBe(true);
  });

  it("are as many as a fiftieth of the prompt's tokens, without its answer's", () => {
    // Long enough for the last rank to be there: (2048 − 50) / 50 is 39.
    const { context } = textAt(itemOf(frequentWordsTask(2048, 1, 42).items), 5000);
    expect(new Set(context.split(" ")).size).toBe(39);
  });
});
