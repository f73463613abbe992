import { describe, expect, it } from "vitest";
import { parseAnswerOptions } from "../../../bench/answers/options.ts";
import { parseNeedleOptions } from "../../../bench/needles/options.ts";
import { UsageError } from "../../../bench/quality/options.ts";
import { commandOf } from "../../../bench/quality/results.ts";

describe("options of the benches of answers", () => {
  it("have defaults", () => {
    expect(parseNeedleOptions([])).toEqual({
      variant: "single",
      tokens: 2000,
      items: 30,
      budgets: [64, 128, 256],
      modules: ["untrained"],
      model: "smollm2",
      threads: null,
      out: null,
    });
    expect(parseAnswerOptions([])).toMatchObject({ items: 200, passage: "paragraph", budgets: [64, 128] });
  });

  it("take lists in any order, each entry once", () => {
    const options = parseNeedleOptions(["--budgets", "256, 64,64", "--modules", "one.gguf,untrained,one.gguf", "--threads", "3"]);
    expect(options).toMatchObject({ budgets: [64, 256], modules: ["one.gguf", "untrained"], threads: 3 });
    expect(parseNeedleOptions(["--modules", ""]).modules).toEqual([]);
  });

  it.each([
    [["--budgets", "64,many"], /--budgets takes a whole number from 1 .*not “many”/],
    [["--budgets", "0"], /--budgets takes/],
    [["--budgets", ","], /--budgets takes numbers/],
    [["--items", "1.5"], /--items takes a whole number/],
    [["--items=-1"], /--items takes a whole number/],
    [["--tokens", "12"], /--tokens takes a whole number from 300/],
    [["--variant", "double"], /--variant takes single, several, words, question-first, not “double”/],
    [["--seed", "1"], /--seed[\s\S]*Options: .*--variant/],
    [["--model"], /--model/],
    [["stray"], /stray/],
  ])("refuse %j with a sentence", (args, message) => {
    expect(() => parseNeedleOptions(args)).toThrow(UsageError);
    expect(() => parseNeedleOptions(args)).toThrow(message);
  });

  it("give a command without a place of one machine", () => {
    const options = parseAnswerOptions(["--model", "/home/someone/Base.gguf", "--modules", "/home/someone/mine.gguf,untrained"]);
    expect(commandOf("answers", options, { items: options.items })).toBe(
      "npm run bench -- answers --items 200 --budgets 64,128 --modules mine.gguf,untrained --model Base.gguf",
    );
  });
});
