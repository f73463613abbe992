import { describe, expect, it } from "vitest";
import { drawQuestions, passageOf } from "../../../bench/answers/items.ts";
import * as answers from "../../../bench/answers/summary.ts";
import * as needles from "../../../bench/needles/summary.ts";

describe("drawn questions", () => {
  const questions = Array.from({ length: 60 }, (_, index) => ({
    id: `q${index}`,
    doc_id: `d${index % 7}`,
    question: "?",
    answers: ["!"],
    answer_start: 0,
  }));

  it("come evenly from all documents, those of one together", () => {
    const drawn = drawQuestions(questions, 24);
    expect(drawn).toHaveLength(24);
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(24);
    const documents = drawn.map(({ doc_id }) => doc_id);
    const counts = [...new Set(documents)].map((id) => documents.filter((other) => other === id).length);
    expect(counts.sort()).toEqual([3, 3, 3, 3, 4, 4, 4]);
    const changes = documents.filter((id, index) => index > 0 && documents[index - 1] !== id).length;
    expect(changes).toBe(6);
  });

  it("are the same each time; fewer are a part of more", () => {
    const many = drawQuestions(questions, 24);
    expect(drawQuestions(questions, 24)).toEqual(many);
    expect(many).toEqual(expect.arrayContaining(drawQuestions(questions, 9)));
    expect(drawQuestions(questions, 1000)).toHaveLength(60);
    expect(drawQuestions([], 5)).toEqual([]);
  });
});

describe("a passage", () => {
  it("is the paragraph with the answer, or the whole article", () => {
    const text = "One is first.\nTwo is second.\nThree is last.";
    const of = (answer: string) => passageOf("paragraph", text, { answer_start: text.indexOf(answer) });
    expect([of("One"), of("first."), of("Two"), of("second."), of("Three"), of("last")]).toEqual([
      "One is first.",
      "One is first.",
      "Two is second.",
      "Two is second.",
      "Three is last.",
      "Three is last.",
    ]);
    expect(passageOf("article", text, { answer_start: 20 })).toBe(text);
  });
});

describe("summary of needles", () => {
  const outcome = (index: number, isFullRight: boolean, right: readonly [string, number][]) => ({
    index,
    depth: 0.5,
    key: "k",
    value: "v",
    promptTokens: 500,
    full: { text: "", isFound: isFullRight },
    kept: ["mine", "snapkv"].flatMap((policy) =>
      [64, 128].map((budget) => ({ policy, budget, text: "", isFound: right.some(([one, at]) => one === policy && at === budget) })),
    ),
    seconds: 1,
  });

  it("asks only for what the full cache found", () => {
    const outcomes = [
      outcome(0, true, [
        ["mine", 64],
        ["mine", 128],
      ]),
      outcome(1, true, [["mine", 128]]),
      { ...outcome(2, false, []), kept: [] },
    ];
    const summary = needles.summarise(outcomes, ["mine", "snapkv"], [64, 128]);
    expect(summary.answered).toBe(2);
    expect(summary.found.map(({ found, share }) => [found, share])).toEqual([
      [1, 0.5],
      [2, 1],
      [0, 0],
      [0, 0],
    ]);
    const [head = "", mine = "", snap = ""] = needles.summaryTable(summary).split("\n");
    expect(head.split(/\s+/)).toEqual(["budget", "64", "128"]);
    expect(mine.split(/\s+/)).toEqual(["mine", "1/2", "50", "%", "2/2", "100", "%"]);
    expect(snap).toContain("0/2   0 %");
  });

  it("shows a dash where the full cache found nothing", () => {
    const summary = needles.summarise([{ ...outcome(0, false, []), kept: [] }], ["mine"], [64]);
    expect(summary).toEqual({ answered: 0, found: [{ policy: "mine", budget: 64, found: 0, share: null }] });
    expect(needles.summaryTable(summary)).toContain("–");
  });
});

describe("summary of answers", () => {
  const scored = (f1: number) => ({ text: "", f1, holdsGold: f1 > 0.4 });
  const outcome = (id: string, documentId: string, f1: { full: number; mine: number; snapkv: number }) => ({
    id,
    documentId,
    promptTokens: 900,
    full: scored(f1.full),
    kept: [
      { policy: "mine", budget: 64, ...scored(f1.mine) },
      { policy: "snapkv", budget: 64, ...scored(f1.snapkv) },
    ],
    seconds: 1,
  });
  const outcomes = [
    outcome("a", "one", { full: 1, mine: 0.75, snapkv: 0.5 }),
    outcome("b", "one", { full: 0.5, mine: 0.25, snapkv: 0 }),
    outcome("c", "two", { full: 0, mine: 0.5, snapkv: 0.25 }),
  ];

  it("has means, and differences to snapkv item by item", () => {
    const { means, differences } = answers.summarise(outcomes, ["mine", "snapkv"], [64]);
    expect(means.map(({ policy, budget, f1, holdsGold }) => [policy, budget, f1.mean, holdsGold.mean])).toEqual([
      ["full", null, 0.5, 2 / 3],
      ["mine", 64, 0.5, 2 / 3],
      ["snapkv", 64, 0.25, 1 / 3],
    ]);
    // Every item gains the same F1, so that nothing is left to chance, though the means themselves vary.
    expect(differences).toMatchObject([{ policy: "mine", budget: 64, f1: { mean: 0.25, low: 0.25, high: 0.25 } }]);
    expect(differences[0]?.holdsGold).toEqual({ mean: 1 / 3, low: 0, high: 1 });
    expect(means[0]?.f1).toEqual({ mean: 0.5, low: 0, high: 0.75 });
  });

  it("are shown in columns", () => {
    const table = answers.summaryTable(answers.summarise(outcomes, ["mine", "snapkv"], [64])).split("\n");
    expect(table).toHaveLength(4);
    expect(table[2]).toMatch(/^mine\s+64\s+0\.500 \[.*\]\s+0\.667 \[.*\]\s+0\.250 \[0\.250, 0\.250\]\s+0\.333 \[0\.000, 1\.000\]$/);
  });

  it("is refused where an answer is missing", () => {
    expect(() => answers.summarise(outcomes, ["mine", "snapkv"], [64, 128])).toThrow(/item a has no answer of mine at 128/);
  });
});
