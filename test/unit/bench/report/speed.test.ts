import { describe, expect, it } from "vitest";
import { plotFiles } from "../../../../bench/report/pages.tsx";
import type { PolicyTimes, TurnOutcome } from "../../../../bench/speed/outcome.ts";
import { summarise } from "../../../../bench/speed/summary.ts";
import { machine, reportOf, shippedHash, trialHash } from "./files.ts";

type Given = {
  readonly lengths: readonly number[];
  readonly lookaheadMs: number;
  readonly laqMs: number;
  readonly sha256?: string;
  readonly others?: number | null;
};

/** A file of the bench, made by its own summary: reading takes a millisecond a token. */
function speedFile({ lengths, lookaheadMs, laqMs, sha256 = shippedHash, others = 0.01 }: Given) {
  const policy = (name: string, scoringMs: number): PolicyTimes => ({
    policy: name,
    readingMs: 0,
    draftMs: 0,
    draftTokens: name === "laq" ? 32 : 0,
    scoringMs,
    budgets: [{ budget: 64, selectionMs: 0, gatherMs: 0 }],
  });
  const outcomes = lengths.flatMap((length): TurnOutcome[] => {
    const head = { length, round: 0, promptTokens: length, load: 0, others, seconds: 1 };
    const scale = length / 4000;
    const policies = [policy("lookahead", lookaheadMs * scale), policy("laq", laqMs * scale), policy("snapkv", -1)];
    const times = {
      prefillMs: length,
      firstTokenMs: 1,
      cacheBytes: length * 23_040,
      decodeMs: [length / 100],
      kept: [{ budget: 64, cacheBytes: 3e6, decodeMs: [5] }],
      policies,
      refused: [],
    };
    return [
      { ...head, program: "longsight", kvType: "f16", times },
      { ...head, program: "stock", kvType: "f16", times: { prefillMs: 2 * length, decodeMs: [50] } },
    ];
  });
  return {
    bench: "speed-smollm2-135m-instruct-made",
    date: "2026-11-30T16:40:38.343Z",
    commit: "3105959",
    machine,
    command: "npm run bench -- speed",
    model: { id: "smollm2-135m-instruct" },
    modules: [{ name: "lookahead", sha256, training: { steps: 640 } }],
    threads: 2,
    rounds: 1,
    reference: 64,
    draft: null,
    load: 1.5,
    kvType: "f16",
    variant: "zen4",
    extent: { items: 2 * lengths.length, measured: outcomes.length },
    beside: [{ program: "stock", package: "node-llama-cpp 3.21.1", variant: "sapphirerapids" }],
    missing: [{ what: "llama-bench", reason: "cmake was not found." }],
    summary: summarise(outcomes, 64),
    outcomes,
  };
}

const shownOf = (given: Given) => reportOf({ "speed.json": speedFile(given) }).sections[0]?.groups[0]?.runs[0]?.shown;
const isMet = (given: Given, words: string) => shownOf(given)?.verdicts.find(({ aim }) => aim.text.includes(words))?.isMet;
const usual = { lengths: [1000, 4000], lookaheadMs: 80, laqMs: 900 };

describe("the report of speed", () => {
  it("judges what lookahead adds to the longest prompt, on both sides of what is wanted", () => {
    expect(isMet({ ...usual, lookaheadMs: 86 }, "2.16 %")).toBe(true);
    expect(isMet({ ...usual, lookaheadMs: 87 }, "2.16 %")).toBe(false);
    expect(isMet({ ...usual, laqMs: 800 }, "a tenth")).toBe(true);
    expect(isMet({ ...usual, laqMs: 799 }, "a tenth")).toBe(false);
  });

  it("judges nothing of short prompts, nor of trial modules", () => {
    expect(shownOf({ ...usual, lengths: [1000] })?.verdicts).toEqual([]);
    expect(shownOf({ ...usual, sha256: trialHash })?.verdicts).toEqual([]);
  });

  it("says what each program computed with, and how a budget is counted", () => {
    const notes = shownOf(usual)?.notes.join("\n");
    expect(notes).toMatch(/Longsight's kernels: zen4\./);
    expect(notes).toMatch(/node-llama-cpp 3\.21\.1, kernels: sapphirerapids\./);
    expect(notes).toMatch(/for each layer and KV head[\s\S]*flash attention is on in all/);
  });

  it("says whether other programs took part of the machine", () => {
    expect(shownOf(usual)?.notes[0]).toMatch(/at most 0\.01 cores while a turn was measured\.$/);
    expect(shownOf({ ...usual, others: 0.6 })?.notes[0]).toMatch(/0\.60 cores .*more than 0\.1 in 4 of 4 turns/);
  });

  it("has how far rounds lie apart, drafts, and allocated caches", () => {
    const tables = shownOf(usual)?.tables ?? [];
    const row = (caption: string, name: string) =>
      tables.find((table) => table.caption.includes(caption))?.rows.find(([first]) => first === name);
    expect(row("slowest and the fastest", "Longsight, 64 kept")).toEqual([
      "Longsight, 64 kept",
      "",
      "200.0 to 200.0",
      "",
      "200.0 to 200.0",
    ]);
    expect(row("what a policy adds", "laq")?.at(-1)).toBe("32");
    expect(row("Allocated caches", "full")).toEqual(["full", "23.0 MB", "92.2 MB"]);
  });

  it("of a run that was ended early says how far it came, and judges the longest prompt that was read", () => {
    const file = speedFile(usual);
    const [short, long] = file.summary.lengths;
    const summary = { ...file.summary, lengths: [short, { ...long, length: 8000, promptTokens: 8000, own: null, others: [] }] };
    const ended = { ...file, rounds: 3, extent: { items: 12, measured: 2 }, summary };
    const report = reportOf({ "speed.json": ended });
    const shown = report.sections[0]?.groups[0]?.runs[0]?.shown;
    expect(shown?.notes.join("\n")).toMatch(/ended before all of its turns were measured \(2 of 12\)\. Rounds of 1,000 tokens 1\./);
    expect(report.headlines[0]?.headline.what).toMatch(/reading 1,000 tokens/);
  });

  it("has tables by length with exponents, and says what is missing and that the machine was busy", () => {
    const shown = shownOf({ ...usual, others: null });
    const overhead = shown?.tables.find(({ caption }) => caption.includes("share of reading"));
    expect(overhead?.rows[0]).toEqual(["lookahead", "2.00 %", "2.00 %", "1.00"]);
    // A difference that is below 0 has no logarithm.
    expect(overhead?.rows[2]?.at(-1)).toBe("–");
    expect(shown?.notes.join("\n")).toMatch(/it was busy[\s\S]*llama-bench\. cmake was not found/);
  });

  it("has headlines of reading and decoding against node-llama-cpp, and plots that are logarithmic both ways", () => {
    const report = reportOf({ "speed.json": speedFile(usual) });
    expect(report.headlines[0]?.headline.what).toMatch(
      /as it comes \(smollm2-135m-instruct; its kernels are sapphirerapids, Longsight's zen4\)/,
    );
    expect(report.headlines.map(({ headline }) => headline.figure)).toEqual([
      "1000.0 tokens/s; it: 500.0 (f16)",
      "200.0 from 64 kept, 25.0 from all tokens/s; it, from all: 20.0 (f16)",
    ]);
    const svg = [...plotFiles(report)].find(([name]) => name.includes("overhead"))?.[1] ?? "";
    // Powers of ten, each named, and as far from one another.
    const heights = [...svg.matchAll(/y="([\d.]+)" text-anchor="end">(10|100|1,000)</g)].map(([, y]) => Number(y));
    expect(heights.length).toBeGreaterThanOrEqual(2);
    const steps = heights.slice(1).map((height, index) => (heights[index] ?? 0) - height);
    for (const step of steps) expect(step).toBeCloseTo(steps[0] ?? 0, 0);
    expect(svg).not.toContain("NaN");
  });
});
