import { describe, expect, it } from "vitest";
import { machine, reportOf, shippedHash } from "./files.ts";

const around = (mean: number, width = 0.01) => ({ mean, low: mean - width, high: mean + width });

type Figures = {
  /** Above SnapKV, at 64, 128 and 256. */
  readonly gains: readonly [number, number, number];
  /** Of the full cache's score at 256, of a reading set and of one of RULER's tasks. */
  readonly shares: readonly [reading: number, ruler: number];
  readonly command?: string;
};

/** A raw file of the bench `quality` with two tasks that count and one that does not. */
function fileOf({ gains, shares: [reading, ruler], command = "npm run bench -- quality" }: Figures) {
  const budgets = ["64", "128", "256"];
  const taskOf = (task: string, counts: boolean, share: number) => ({
    task,
    items: 20,
    unfit: 0,
    cut: 3,
    full: around(0.5),
    chance: 0.1,
    counts,
    cells: budgets.map((budget) => ({ policy: "own", budget, items: 20, mean: 0.5 * share, ofFull: share })),
  });
  return {
    bench: "quality-smollm2-135m-instruct-2048",
    date: "2026-11-30T12:00:00.000Z",
    commit: "1",
    machine,
    command,
    tokens: 2048,
    model: { id: "smollm2-135m-instruct" },
    modules: [{ name: "own", sha256: shippedHash, training: { steps: 640 } }],
    extent: { items: 60, measured: 60 },
    summary: {
      scored: {
        tasks: [taskOf("xquad_en", true, reading), taskOf("niah_single_1", true, ruler), taskOf("hotpotqa", false, 0)],
        overall: budgets.map((budget, index) => ({
          policy: "own",
          budget,
          tasks: ["xquad_en", "niah_single_1"],
          mean: around(0.4),
          ofFull: around(0.8),
          lessSnapkv: around(gains[index] ?? 0),
        })),
      },
      agreement: [],
      temperature: [],
    },
  };
}

const missedBy = (figures: Figures) => reportOf({ "quality.json": fileOf(figures) }).missed.map(({ verdict: { aim } }) => aim.text);
const good: Figures = { gains: [0.1, 0.1, 0], shares: [0.95, 0.2] };

describe("quality's aims", () => {
  it("are met by a lead beyond the intervals at 64 and 128, none lost at 256, and 95 % of the full cache on reading sets", () => {
    expect(missedBy(good)).toEqual([]);
  });

  it("are missed one by one", () => {
    expect(missedBy({ ...good, gains: [0.1, 0.009, 0] })).toEqual([expect.stringMatching(/64 and 128/)]);
    expect(missedBy({ ...good, gains: [0.1, 0.1, -0.001] })).toEqual([expect.stringMatching(/every budget/)]);
    expect(missedBy({ ...good, shares: [0.94, 1] })).toEqual([expect.stringMatching(/reading sets/)]);
  });

  it("are not judged by a quick run, which is no headline either", () => {
    const report = reportOf({
      "quality.json": fileOf({ gains: [-1, -1, -1], shares: [0, 0], command: "npm run bench -- quality --quick" }),
    });
    expect(report.missed).toEqual([]);
    expect(report.headlines).toEqual([]);
    expect(report.sections.map(({ kind }) => kind)).toEqual(["quality"]);
  });
});
