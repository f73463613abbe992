import { describe, expect, it } from "vitest";
import { drawEvenly, inTurns } from "../../../../bench/quality-sets/draw.ts";
import { meanOverTasks, ratioOverTasks } from "../../../../bench/quality-sets/interval.ts";
import { logProbability } from "../../../../bench/quality-sets/likelihood.ts";
import { likeness } from "../../../../bench/quality-sets/looking.ts";
import { summariseAgreement, summariseTemperature } from "../../../../bench/quality-sets/otherSummaries.ts";
import type { AgreementOutcome, QualityOutcome, ScoredOutcome } from "../../../../bench/quality-sets/outcome.ts";
import { summariseScored } from "../../../../bench/quality-sets/summary.ts";
import { agreementTable, scoredTables } from "../../../../bench/quality-sets/tables.ts";

const scored = (
  task: string,
  id: number,
  full: number,
  kept: Record<string, number>,
  more: Partial<ScoredOutcome> = {},
): ScoredOutcome => ({
  kind: "scored",
  task,
  id: String(id),
  promptTokens: 500,
  cutTokens: 0,
  seconds: 1,
  full: { text: "text", score: full, first: 0 },
  chance: 0,
  kept: Object.entries(kept).map(([policy, score]) => ({ policy, budget: "64", text: "", score })),
  leftOut: { whole: [], tooSmall: [] },
  ...more,
});

const names = { policies: ["lookahead", "snapkv"], budgets: ["64", "128"] };

describe("summary of scores", () => {
  const outcomes: QualityOutcome[] = [
    ...[1, 1, 1, 1].map((full, id) => scored("good", id, full, { lookahead: 1, snapkv: id % 2 })),
    ...[0.5, 0.5].map((full, id) => scored("fair", id, full, { lookahead: 0.25, snapkv: 0.25 }, { chance: 0.1 })),
    ...[0.3, 0.3].map((full, id) => scored("guessed", id, full, { lookahead: 0.9, snapkv: 0 }, { chance: 0.28 })),
    { kind: "unfit", task: "good", id: "9", seconds: 0 },
  ];
  const summary = summariseScored(outcomes, { tasks: ["good", "fair", "guessed", "missing"], reading: ["fair", "guessed"], ...names });

  it("counts the tasks whose full score is well above chance", () => {
    expect(summary.tasks.map(({ task, counts, items, unfit }) => [task, counts, items, unfit])).toEqual([
      ["good", true, 4, 1],
      ["fair", true, 2, 0],
      ["guessed", false, 2, 0],
    ]);
    expect(scoredTables(summary)).toContain("Left out of the means: guessed.");
  });

  it("does not count a task of one right guess among many wrong ones", () => {
    const rare = Array.from({ length: 10 }, (_, id) => scored("rare", id, id === 0 ? 1 : 0, {}));
    expect(summariseScored(rare, { tasks: ["rare"], reading: [], ...names }).tasks[0]).toMatchObject({ counts: false });
  });

  it("does not count a task that the first token answers, which every cache has from the full one", () => {
    const letters = Array.from({ length: 10 }, (_, id) => {
      const score = id % 2;
      return scored("letters", id, score, { lookahead: score, snapkv: score }, { full: { text: "B", score, first: score } });
    });
    const { tasks } = summariseScored(letters, { tasks: ["letters"], reading: [], ...names });
    expect(tasks[0]).toMatchObject({ counts: false, first: 0.5, promptTokens: 500 });
  });

  it("takes the reading sets by themselves too, those that a policy is never right in among them", () => {
    const read = [
      ...[1, 1].map((full, id) => scored("kept", id, full, { lookahead: 1, snapkv: 1 })),
      ...[1, 1].map((full, id) => scored("lost", id, full, { lookahead: 0, snapkv: 1 })),
    ];
    const [lookahead] = summariseScored(read, { tasks: ["kept", "lost"], reading: ["kept", "lost"], ...names }).reading;
    expect(lookahead).toMatchObject({ policy: "lookahead", budget: "64", tasks: ["kept", "lost"], items: 4 });
    expect(lookahead?.ofFull?.mean).toBe(0.5);
    expect(summary.reading[0]).toMatchObject({ tasks: ["fair"], items: 2 });
  });

  it("takes the mean over tasks and not over items, and the share of the full cache's", () => {
    const [lookahead, , snapkv] = summary.overall;
    // (1 + 0.25) / 2 and (0.5 + 0.25) / 2; full: (1 + 0.5) / 2.
    expect(lookahead).toMatchObject({ policy: "lookahead", budget: "64", tasks: ["good", "fair"], items: 6 });
    expect(lookahead?.mean?.mean).toBeCloseTo(0.625, 12);
    expect(lookahead?.ofFull?.mean).toBeCloseTo(0.625 / 0.75, 12);
    expect(snapkv?.mean?.mean).toBeCloseTo(0.375, 12);
    expect(lookahead?.lessSnapkv?.mean).toBeCloseTo(0.25, 12);
    expect(snapkv?.lessSnapkv).toBeNull();
  });

  it("leaves budgets out that nothing was evicted by", () => {
    expect(summary.overall[1]).toMatchObject({ budget: "128", tasks: [], mean: null, ofFull: null, lessSnapkv: null });
    expect(summary.tasks[0]?.cells.map(({ budget }) => budget)).toEqual(["64", "64"]);
  });

  it("has no shares of a full cache that never was right", () => {
    const { tasks } = summariseScored([scored("hard", 1, 0, { lookahead: 0.5 })], { tasks: ["hard"], reading: [], ...names });
    expect(tasks[0]?.cells).toEqual([{ policy: "lookahead", budget: "64", items: 1, mean: 0.5, ofFull: null }]);
  });
});

describe("intervals over tasks", () => {
  it("hold the mean, and are none of equal values", () => {
    const mixed = meanOverTasks([
      [0, 1, 0, 1],
      [1, 1],
    ]);
    expect(mixed?.mean).toBe(0.75);
    expect(mixed?.low).toBeLessThan(0.75);
    expect(mixed?.low).toBeGreaterThanOrEqual(0.5);
    expect(mixed?.high).toBeGreaterThan(0.75);
    expect(meanOverTasks([[2, 2], [2]])).toEqual({ mean: 2, low: 2, high: 2 });
    expect(meanOverTasks([])).toBeNull();
    expect(() => meanOverTasks([[]])).toThrow(RangeError);
  });

  it("keep what belongs together together", () => {
    const items = [1, 2, 3, 4].map((by) => ({ value: by / 2, by }));
    expect(ratioOverTasks([items])).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
    expect(ratioOverTasks([[{ value: 1, by: 0 }]])).toBeNull();
  });
});

describe("summary of agreement", () => {
  const outcome = (id: string, f1: number, logLikelihood: number | null): AgreementOutcome => ({
    kind: "agreement",
    task: "mt_bench",
    id,
    promptTokens: 100,
    cutTokens: 0,
    seconds: 1,
    full: { text: "", tokens: 9, logLikelihood: -0.5 },
    kept: [
      { policy: "lookahead", budget: "64", text: "", f1, rougeL: 0.5, edit: 0.5, logLikelihood },
      { policy: "snapkv", budget: "64", text: "", f1: 0.25, rougeL: 0.5, edit: 0.5, logLikelihood: -1.5 },
    ],
    leftOut: { whole: ["128"], tooSmall: [] },
  });

  it("holds likelihoods against the full cache's own, and both against snapkv's", () => {
    const outcomes = [outcome("1", 1, -1), outcome("2", 0.5, null), { ...outcome("1", 0, -9), task: "agreement_long" }];
    const [row, snapkv, ...others] = summariseAgreement(outcomes, ["mt_bench"], names.policies, names.budgets);
    expect(row).toMatchObject({ task: "mt_bench", policy: "lookahead", budget: "64", items: 2 });
    expect(row?.f1.mean).toBe(0.75);
    expect(row?.likelihoodLoss?.mean).toBe(-0.5);
    expect(row?.f1LessSnapkv?.mean).toBe(0.5);
    expect(row?.likelihoodLessSnapkv?.mean).toBe(0.5);
    expect(snapkv?.f1LessSnapkv).toBeNull();
    expect(others).toEqual([]);
    expect(agreementTable([])).toContain("agreement");
  });

  it("reads probabilities from logits of any size", () => {
    expect(logProbability(Float32Array.of(0, Math.log(3)), 1)).toBeCloseTo(Math.log(3 / 4), 6);
    expect(logProbability(Float32Array.of(1000, 1000), 0)).toBeCloseTo(Math.log(1 / 2), 6);
    expect(logProbability(Float32Array.of(-1000, 0), 0)).toBeCloseTo(-1000, 6);
  });
});

describe("what answers look at", () => {
  it("is compared by its highest scores and by its order", () => {
    const tokens = 130;
    const rising = Float32Array.from({ length: tokens }, (_, index) => index);
    const scores = (values: Float32Array) => ({ layers: 1, heads: 1, tokens, values });
    expect(likeness(scores(rising), scores(rising))).toEqual({
      recall: [
        { of: 64, share: 1 },
        { of: 128, share: 1 },
      ],
      tau: 1,
    });
    // The 64 highest of the one are the lowest of the other; of 128 each leaves out two that are the other's highest.
    const { recall, tau } = likeness(scores(rising), scores(rising.slice().reverse()));
    expect(recall).toEqual([
      { of: 64, share: 0 },
      { of: 128, share: 126 / 128 },
    ]);
    expect(tau).toBe(-1);
  });

  it("is summed up by prompts that are long enough", () => {
    const outcome = (id: string, recall: { of: number; share: number }[], tau: number | null): QualityOutcome => ({
      kind: "temperature",
      task: "temperature_long",
      id,
      promptTokens: 100,
      cutTokens: 0,
      seconds: 1,
      answerTokens: 3,
      rows: [{ name: "T 1", recall, tau }],
    });
    const outcomes = [
      outcome("1", [{ of: 64, share: 0.5 }], 0.25),
      outcome(
        "2",
        [
          { of: 64, share: 1 },
          { of: 128, share: 0.75 },
        ],
        null,
      ),
    ];
    expect(summariseTemperature(outcomes, ["temperature_short", "temperature_long"])).toEqual([
      {
        task: "temperature_long",
        name: "T 1",
        items: 2,
        recall: [
          { of: 64, items: 2, share: { mean: 0.75, low: 0.5, high: 1 } },
          { of: 128, items: 1, share: { mean: 0.75, low: 0.75, high: 0.75 } },
        ],
        tau: { mean: 0.25, low: 0.25, high: 0.25 },
      },
    ]);
  });
});

describe("items", () => {
  it("are drawn evenly from documents, fewer as the beginning of more", () => {
    const things = Array.from({ length: 30 }, (_, index) => ({ id: index, document: `d${index % 4}` }));
    const drawn = drawEvenly(things, ({ document }) => document, 10);
    expect(new Set(drawn.slice(0, 4).map(({ document }) => document)).size).toBe(4);
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(10);
    expect(drawEvenly(things, ({ document }) => document, 3)).toEqual(drawn.slice(0, 3));
    expect(drawEvenly([], () => "", 3)).toEqual([]);
  });

  it("of tasks take turns", () => {
    expect(inTurns([["a1", "a2", "a3"], ["b1"], ["c1", "c2"]])).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
    expect(inTurns([])).toEqual([]);
  });
});
