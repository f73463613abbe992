import { describe, expect, it } from "vitest";
import { machine, reportOf, shippedHash } from "./files.ts";

const around = (mean: number, width = 0.01) => ({ mean, low: mean - width, high: mean + width });

type Figures = {
  /** Above SnapKV, at 64, 128, 256 and so on. */
  readonly gains: readonly number[];
  /** Of the full cache's score at 256, over the reading sets. */
  readonly ofFull: number;
  readonly command?: string;
};

/** A raw file of the bench `quality` with two tasks that count and one that does not. */
function fileOf({ gains, ofFull, command = "npm run bench -- quality" }: Figures) {
  const budgets = ["64", "128", "256", "512", "1024"].slice(0, gains.length);
  const taskOf = (task: string, counts: boolean) => ({
    task,
    items: 20,
    unfit: 0,
    cut: 3,
    promptTokens: 1900,
    full: around(0.5),
    chance: 0.1,
    first: 0,
    counts,
    cells: budgets.map((budget) => ({ policy: "own", budget, items: 20, mean: 0.4, ofFull: 0.8 })),
  });
  const overOf = (tasks: readonly string[], share: number) =>
    budgets.map((budget, index) => ({
      policy: "own",
      budget,
      tasks,
      items: 20 * tasks.length,
      mean: around(0.4),
      ofFull: around(share, 0.1),
      lessSnapkv: around(gains[index] ?? 0),
    }));
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
        tasks: [taskOf("xquad_en", true), taskOf("niah_single_1", true), taskOf("hotpotqa", false)],
        overall: overOf(["xquad_en", "niah_single_1"], 0.8),
        reading: overOf(["xquad_en"], ofFull),
      },
      agreement: [
        {
          task: "agreement_long",
          policy: "own",
          budget: "64",
          items: 12,
          f1: around(0.7),
          rougeL: around(0.7),
          likelihoodLoss: around(-0.3),
          f1LessSnapkv: around(0.2),
          likelihoodLessSnapkv: around(0.4),
        },
      ],
      temperature: [{ task: "temperature_long", name: "T 1", items: 9, recall: [{ of: 512, share: around(0.9) }], tau: null }],
    },
  };
}

const reportBy = (figures: Figures) => reportOf({ "quality.json": fileOf(figures) });
const missedBy = (figures: Figures) => reportBy(figures).missed.map(({ verdict: { aim } }) => aim.text);
const good: Figures = { gains: [0.1, 0.1, 0, 0, 0], ofFull: 0.95 };

describe("quality's aims", () => {
  it("are met by a lead beyond the intervals at 64 and 128, none lost at others, and 95 % of the full cache on reading sets", () => {
    expect(missedBy(good)).toEqual([]);
    const open = reportBy(good).unmeasured.flatMap(({ title, aims }) => (title === "Quality" ? aims : []));
    expect(open).toEqual([]);
  });

  it("are missed one by one", () => {
    expect(missedBy({ ...good, gains: [0.1, 0.009, 0, 0, 0] })).toEqual([expect.stringMatching(/64 and 128/)]);
    expect(missedBy({ ...good, gains: [0.1, 0.1, -0.001, 0, 0] })).toEqual([expect.stringMatching(/every budget/)]);
    expect(missedBy({ ...good, ofFull: 0.94 })).toEqual([expect.stringMatching(/reading sets/)]);
  });

  it("of every budget are not met by some of them, but may be missed by one", () => {
    const some = reportBy({ ...good, gains: [0.1, 0.1, 0] });
    expect(some.missed).toEqual([]);
    expect(some.unmeasured.flatMap(({ aims }) => aims.map(({ text }) => text))).toContainEqual(expect.stringMatching(/every budget/));
    expect(missedBy({ ...good, gains: [0.1, 0.1, -0.001] })).toEqual([expect.stringMatching(/every budget/)]);
  });

  it("stand behind tables of agreement and temperature with their intervals", () => {
    const tables = reportBy(good).sections.flatMap(({ groups }) => groups.flatMap(({ runs }) => runs.flatMap(({ shown }) => shown.tables)));
    const cells = tables.flatMap(({ rows }) => rows.map((row) => row.join(" | ")));
    expect(cells).toContainEqual(expect.stringMatching(/^agreement_long \| own \| 64 \| 12 \| .*0\.400 \(0\.390 to 0\.410\)$/));
    expect(cells).toContain("temperature_long | T 1 | 9 | 0.900 (0.890 to 0.910) | –");
  });

  it("say over how many tasks and items they were judged", () => {
    const [missed] = reportBy({ ...good, ofFull: 0.5 }).missed;
    expect(missed?.verdict.found).toBe("50.0 % (40.0 % to 60.0 %) of it over 1 sets, 20 items");
  });

  it("are not judged by a quick run, which is no headline either", () => {
    const report = reportBy({ gains: [-1, -1, -1, -1, -1], ofFull: 0, command: "npm run bench -- quality --quick" });
    expect(report.missed).toEqual([]);
    expect(report.headlines).toEqual([]);
    expect(report.sections.map(({ kind }) => kind)).toEqual(["quality"]);
  });
});
