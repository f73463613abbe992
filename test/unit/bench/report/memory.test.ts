import { describe, expect, it } from "vitest";
import type { MemoryOutcome } from "../../../../bench/memory/outcome.ts";
import { rows } from "../../../../bench/memory/rows.ts";
import { missingOf, summarise } from "../../../../bench/memory/summary.ts";
import { plotFiles } from "../../../../bench/report/pages.tsx";
import { machine, reportOf } from "./files.ts";

const stage = (name: "prefill" | "eviction" | "decode", mostBytes: number) => ({
  stage: name,
  fromMs: 0,
  toMs: 1,
  mostBytes,
  endBytes: mostBytes - 10e6,
  ownBytes: mostBytes - 150e6,
});
const outcome = (row: string, mostBytes: number): MemoryOutcome => ({
  row,
  round: 0,
  load: 0,
  seconds: 1,
  promptTokens: 6000,
  answerTokens: 128,
  policy: row.startsWith("full") ? "full" : "lookahead",
  evictions: 1,
  weightsBytes: 140e6,
  fullCacheBytes: 140e6,
  keptCacheBytes: 12e6,
  cacheBytesAfter: 0,
  stages: [
    stage("prefill", mostBytes),
    ...(row.startsWith("question") ? [stage("eviction", 1.1 * mostBytes)] : []),
    stage("decode", 300e6),
  ],
  course: { everyMs: 50, bytes: Array.from({ length: 100 }, (_, index) => index * 1e6) },
});

/** A file of the bench, made by its own summary. */
function memoryFile(outcomes: readonly MemoryOutcome[]) {
  return {
    bench: "memory-smollm2-135m-instruct-6000",
    date: "2026-11-30T16:40:38.343Z",
    commit: "3105959",
    machine,
    command: "npm run bench -- memory",
    model: { id: "smollm2-135m-instruct" },
    promptTokens: 6000,
    budget: 256,
    rounds: 1,
    everyMs: 50,
    load: 0.3,
    lookahead: { name: "module", steps: 1060 },
    missing: missingOf(outcomes),
    summary: summarise(outcomes, rows),
    outcomes,
  };
}

const kept = [outcome("full-f16", 500e6), outcome("question-f16", 400e6), outcome("question-q8_0", 380e6)];
const failed: MemoryOutcome = { row: "once-f16", round: 0, load: 0, seconds: 1, failed: "No room." };
const report = reportOf({ "memory.json": memoryFile([...kept, failed]) });
const [section] = report.sections;
const shown = section?.groups[0]?.runs[0]?.shown;

describe("the report of memory", () => {
  it("is of whole answers, not of what an eviction gives back", () => {
    expect(section?.kind).toBe("memory");
    expect(report.leftOut).toEqual([]);
  });

  it("has the most of each stage, and a dash for one that a row did not have", () => {
    const [most] = shown?.tables ?? [];
    expect(most?.rows.map((row) => [row[0], row[3], row[5]])).toEqual([
      ["full, f16", "500.0 MB", "–"],
      ["kept per question, f16", "400.0 MB", "440.0 MB"],
      ["kept per question, q8_0", "380.0 MB", "418.0 MB"],
    ]);
    expect(shown?.tables.at(-1)?.rows[1]?.at(-1)).toBe("88 %");
  });

  it("says what was not had", () => {
    expect(shown?.notes.join("\n")).toMatch(/Kept by lookahead \(module of 1,060 steps\)[\s\S]*once-f16\. No room\./);
  });

  it("has a headline of everything, of what is kept, and of both together, and none where a part is missing", () => {
    expect(report.headlines.map(({ headline }) => headline.figure)).toEqual([
      "full, f16 290.0 MB (most 500.0 MB); kept per question, f16 290.0 MB (most 440.0 MB); kept per question, q8_0 290.0 MB (most 418.0 MB)",
    ]);
    expect(reportOf({ "memory.json": memoryFile(kept.slice(1)) }).headlines).toEqual([]);
  });

  it("has a line over time for each row, with so few marks that the line is seen", () => {
    const svg = [...plotFiles(report)].find(([name]) => name.includes("course"))?.[1] ?? "";
    const lines = svg.match(/<polyline/g) ?? [];
    expect(lines).toHaveLength(3);
    // Ten marks on each line, and one in the legend.
    expect((svg.match(/<path/g) ?? []).length).toBe(3 * 11);
    expect(svg).not.toContain("NaN");
  });
});
