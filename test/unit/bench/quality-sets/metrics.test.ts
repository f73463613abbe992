import { describe, expect, it } from "vitest";
import { agreementOf } from "../../../../bench/quality-sets/agreement.ts";
import { characterF1 } from "../../../../bench/quality-sets/metrics/characterF1.ts";
import { choiceScore, chosenLetters } from "../../../../bench/quality-sets/metrics/choices.ts";
import { classScore } from "../../../../bench/quality-sets/metrics/classes.ts";
import { editSimilarity } from "../../../../bench/quality-sets/metrics/editSimilarity.ts";
import { foundAny, foundInFirstLine, foundShare } from "../../../../bench/quality-sets/metrics/found.ts";
import { lastNumberIs, numberShare } from "../../../../bench/quality-sets/metrics/numbers.ts";
import { rougeL } from "../../../../bench/quality-sets/metrics/rougeL.ts";
import { rowF1 } from "../../../../bench/quality-sets/metrics/tableRows.ts";

// Every expected figure was worked out by hand from the metric's definition.

describe("RULER's string match", () => {
  it("is the share of references that stand in the answer, in any case", () => {
    expect(foundShare("It is ABC and 123.", ["abc", "123", "xyz", "12"])).toBe(3 / 4);
    expect(foundShare("", ["abc"])).toBe(0);
    expect(foundAny("so: abc", ["xyz", "ABC"])).toBe(1);
    expect(foundAny("so: ab", ["xyz", "ABC"])).toBe(0);
  });
});

describe("the match of open questions", () => {
  it("goes without case, punctuation and articles, and by the first line alone", () => {
    expect(foundInFirstLine("They were Beatles, of Liverpool.", ["The Beatles"])).toBe(1);
    expect(foundInFirstLine("It was J.R.R. Tolkien", ["JRR Tolkien"])).toBe(1);
    expect(foundInFirstLine("\n It is Paris.", ["Rome", "Paris"])).toBe(1);
    expect(foundInFirstLine("I do not know.\nParis", ["Paris"])).toBe(0);
    expect(foundInFirstLine("anything", ["The"])).toBe(0);
  });
});

describe("ROUGE-L", () => {
  it("is F1 of the longest common subsequence of words", () => {
    // Common: police, the, gunman of 4 and 4 words.
    expect(rougeL("Police kill the gunman.", ["police killed the gunman"])).toBeCloseTo(3 / 4, 12);
    // Common: the gunman (2), of 4 words each.
    expect(rougeL("the gunman kill police", ["police killed the gunman"])).toBeCloseTo(2 / 4, 12);
    // Common: a, c of 3 and 2 words: precision 2/3, recall 1.
    expect(rougeL("a b c", ["a c"])).toBeCloseTo(0.8, 12);
  });

  it("takes the best reference, and nothing from nothing", () => {
    expect(rougeL("a b", ["x", "a b", "a"])).toBe(1);
    expect(rougeL("", ["a"])).toBe(0);
    expect(rougeL("a", [""])).toBe(0);
    expect(rougeL("a", [])).toBe(0);
  });
});

describe("edit similarity", () => {
  it("is 1 less the edits by both lengths", () => {
    // Two of 4 and 4 letters are put in and taken out for one that differs: 1 − 2/8.
    expect(editSimilarity("abcd", "abcx")).toBeCloseTo(6 / 8, 12);
    // "return a" and "return b;": 7 in common, 8 and 9 long.
    expect(editSimilarity("return a", "return b;")).toBeCloseTo(14 / 17, 12);
    expect(editSimilarity("", "")).toBe(1);
    expect(editSimilarity("", "abc")).toBe(0);
    // One of two characters is shared, however many units each takes.
    expect(editSimilarity("😀a", "😁a")).toBeCloseTo(1 / 2, 12);
  });
});

describe("agreement with the full cache", () => {
  it("is whole for the same text, also for none", () => {
    expect(agreementOf("", "")).toEqual({ f1: 1, rougeL: 1, edit: 1 });
    expect(agreementOf("Yes!", "Yes!")).toEqual({ f1: 1, rougeL: 1, edit: 1 });
    expect(agreementOf("", "Yes!")).toEqual({ f1: 0, rougeL: 0, edit: 0 });
    // Two of 3 and 2 words.
    expect(agreementOf("x y z", "x y").f1).toBeCloseTo(0.8, 12);
  });
});

describe("F1 of characters", () => {
  it("goes by the longest run that both have, without punctuation", () => {
    // 厦门大学 of 4 and 4.
    expect(characterF1("厦门大学", ["厦门大学。"])).toBe(1);
    // The run 厦门大学 (4) of 6 and 4: 8/10.
    expect(characterF1("是在厦门大学", ["厦门大学"])).toBeCloseTo(0.8, 12);
    // Runs have no gaps: 大学 (2) of 2 and 4.
    expect(characterF1("大学", ["厦门大学"])).toBeCloseTo(4 / 6, 12);
    // A word of letters or digits is one unit: 2011 年 of 2 and 2.
    expect(characterF1("2011年", ["2011 年"])).toBe(1);
    expect(characterF1("2012年", ["2011年"])).toBeCloseTo(1 / 2, 12);
    expect(characterF1("", ["厦门"])).toBe(0);
  });
});

describe("classification", () => {
  const classes = ["yes", "no", "maybe"];
  it("shares 1 among the classes that are named, where the right one is", () => {
    expect(classScore("Yes, it is.", "yes", classes)).toBe(1);
    expect(classScore("yes or no", "yes", classes)).toBe(1 / 2);
    expect(classScore("no", "yes", classes)).toBe(0);
    expect(classScore("I know nothing", "no", classes)).toBe(0);
    expect(classScore("", "no", classes)).toBe(0);
  });
});

describe("numbers", () => {
  it("share 1 among those of the answer that are right", () => {
    expect(numberShare("There are 7 paragraphs, or 8.", "7")).toBe(1 / 2);
    expect(numberShare("段落27", "段落27")).toBe(1);
    expect(numberShare("Paragraph 2", "Paragraph 27")).toBe(0);
    expect(numberShare("none", "7")).toBe(0);
  });

  it("are the last ones of worked answers", () => {
    expect(lastNumberIs("5 * 4 = 20, so $1,200.00.", "1200")).toBe(1);
    expect(lastNumberIs("20, not 21", "20")).toBe(0);
    expect(lastNumberIs("none", "20")).toBe(0);
  });
});

describe("choices", () => {
  it.each([
    ["B", "B"],
    ["(B) Because he is a fan.", "B"],
    ["The answer is (C).", "C"],
    ["A, C and D", "ACD"],
    ["DCA", "ACD"],
    ["None of them", ""],
    ["I'd say it's (B), not (A)", "B"],
    ["Banana", ""],
  ])("of “%s” are the letters %s", (answer, letters) => {
    expect(chosenLetters(answer)).toBe(letters);
  });

  it("are right where all letters are, and no others", () => {
    expect(choiceScore("AC", "AC")).toBe(1);
    expect(choiceScore("A", "AC")).toBe(0);
    expect(choiceScore("ABC", "AC")).toBe(0);
    expect(choiceScore("(D)", "(D) Yes, because the ruler says so.")).toBe(1);
    expect(choiceScore("nothing", "")).toBe(0);
  });
});

describe("rows of a table", () => {
  const right = "Name\tAge\nAnn\t3\nBob\t4\nBob\t4\n";
  it("are F1 in any order, and equal ones count as often as they are written", () => {
    expect(rowF1("```tsv\nName\tAge\nBob\t4\nann\t 3\nBob\t4\n```", right)).toBe(1);
    // 2 of 2 rows right, all 3 found.
    expect(rowF1("Here:\n```tsv\nName\tAge\nBob\t4\nAnn\t3", right)).toBe(1);
    // 3 of 3 right, 2 of 3 found: 4/5.
    expect(rowF1("Name\tAge\nBob\t4\nBob\t4\nBob\t4", right)).toBeCloseTo(0.8, 12);
    expect(rowF1("Name\tAge", right)).toBe(0);
    expect(rowF1("", right)).toBe(0);
  });

  it("are compared without case, punctuation, articles and blanks", () => {
    expect(rowF1("Name\tAge\nthe Ann-Marie, B.\t$3.50", "Name\tAge\nAnn Marie (B)\t3 50\n")).toBe(1);
    expect(rowF1('Name\tAge\n"An  apple"\t3', "Name\tAge\napple\t3\n")).toBe(1);
  });

  it("begin behind the first line, whatever it says, and are wrong with another number of cells, but for an unfinished last one", () => {
    expect(rowF1("Who\tYears\nAnn\t3\nBob\t4", right)).toBe(1);
    // Without a header the first row is taken for one: Bob is right, and 2 of 3.
    expect(rowF1("Ann\t3\nBob\t4", right)).toBeCloseTo(0.8, 12);
    // 2 of 3 rows right, all 3 found: 4/5; the unfinished last one is passed over.
    expect(rowF1("Name\tAge\nAnn\t3\nBob\nBob\t4\nAnn", right)).toBeCloseTo(0.8, 12);
  });
});
