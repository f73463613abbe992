import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { kinds } from "../../../../bench/report/kinds/index.ts";
import type { Verdict } from "../../../../bench/report/model.ts";
import { readRawFiles } from "../../../../bench/report/readFiles.ts";
import { machine, reportOf } from "./files.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const files = await readRawFiles(root);

type Path = readonly (string | number)[];

/** A copy of JSON with another value at a place. @throws Error where there is no such place */
function withValue(content: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof content !== "object" || content === null || !(key in content)) throw new Error(`There is no ${key}.`);
  const entries = Object.entries(content).map(([name, own]) => [name, name === String(key) ? withValue(own, rest, value) : own] as const);
  return Array.isArray(content) ? entries.map(([, own]) => own) : Object.fromEntries(entries);
}

/** What the raw file of that beginning says of an aim, with other values in it. The modules in it count as those that come with the app. */
function verdictOf(beginning: string, aim: string, changes: readonly (readonly [Path, unknown])[]): Verdict | undefined {
  const raw = files.find(({ file }) => file.startsWith(beginning));
  if (raw === undefined) throw new Error(`There is no raw file ${beginning}….`);
  const content = changes.reduce((changed: unknown, [path, value]) => withValue(changed, path, value), JSON.parse(raw.text));
  const kind = kinds.find(({ claims }) => claims(content));
  const shipped = new Set(raw.text.match(/\b[0-9a-f]{64}\b/g));
  return kind?.read(content, { shipped }).shown.verdicts.find(({ aim: { text } }) => text.includes(aim));
}

/** Raw file, aim, and values on both sides of what is wanted. */
const limits: readonly (readonly [file: string, aim: string, path: Path, met: unknown, missed: unknown])[] = [
  ["reopen-", "20 %", ["reopened", "firstTokenMs"], 1, 1e9],
  ["reopen-", "5 %", ["reopened", "evaluatedTokens"], 10, 2000],
  ["reopen-", "same answer", ["isSameAnswer"], true, false],
  ["reselect-", "500 ms", ["summary", "fromDisk", "totalMs"], 500, 501],
  ["reselect-", "500 ms", ["summary", "fromMemory", "totalMs"], 500, 501],
  ["freed-2026-11-29", "80 %", ["measured", 3, "share"], 0.8, 0.79],
  ["freed-2026-11-29", "3 %", ["measured", 3, "ratio"], 0.971, 0.969],
  ["freed-2026-11-29", "3 %", ["measured", 3, "ratio"], 1.029, 1.031],
  ["selection-", "150 ms", ["figures", 0, "selectionMs"], 149, 150],
  ["start-", "5 s", ["medians", "windowMs"], 4000, 5000],
  ["eviction-smollm2-", "1.5 %", ["share"], 0.015, 0.0151],
  ["eviction-smollm2-", "256 kept", ["faster", "256"], 2.9, 2.89],
  ["eviction-qwen-", "64 kept", ["faster", "64"], 2.2, 2.19],
  ["long-answer-", "20,000", ["verdict", "resident", "isRising"], false, true],
  ["policies-", "a tenth", ["summary", "policies", 0, "scoringMs"], 1, 300],
  ["answers-", "above SnapKV's", ["summary", "differences", 1, "f1", "low"], 0.001, 0],
  ["lookahead-qwen/", "KL", ["policies", 0, "figures", "kl_per_head", "mean"], 0.28, 0.3],
  ["lookahead-qwen/", "Recall", ["policies", 0, "figures", "recall", "64", "mean"], 0.49, 0.44],
  ["lookahead-qwen/", "Recall", ["policies", 0, "figures", "recall", "64", "low"], 0.44, 0.41],
  ["lookahead-qwen/", "every K", ["policies", 0, "figures", "mass", "512", "mean"], 0.9, 0.8],
  ["streaming-", "as often", ["summary", 1, "found", 1, "found"], 4, 3],
  ["streaming-", "window and the budget", ["summary", 1, "cacheBytes"], 1, 1e12],
];

describe("an aim", () => {
  it.each(limits)("%s: %s, by %j", (file, aim, path, met, missed) => {
    expect(verdictOf(file, aim, [[path, met]])?.isMet).toBe(true);
    expect(verdictOf(file, aim, [[path, missed]])?.isMet).toBe(false);
  });

  it("of the window is missed by one long task or frame of any action, and met by none", () => {
    const calm = files.filter(({ file }) => file.startsWith("window-")).map(({ text }) => JSON.parse(text).summary.length)[0];
    const still = Array.from({ length: calm }, (_, index): [Path, unknown][] => [
      [["summary", index, "longestFrameMs"], 17],
      [["summary", index, "longestTaskMs"], 50],
    ]).flat();
    expect(verdictOf("window-", "50 ms", still)?.isMet).toBe(true);
    expect(verdictOf("window-", "50 ms", [...still, [["summary", 0, "longestTaskMs"], 51]])?.isMet).toBe(false);
    expect(verdictOf("window-", "50 ms", [...still, [["summary", 0, "longestFrameMs"], 51]])?.isMet).toBe(false);
  });

  it("of lengths and budgets is not judged by a run of others", () => {
    expect(verdictOf("reselect-", "500 ms", [[["promptTokens"], 4000]])).toBeUndefined();
    expect(verdictOf("eviction-smollm2-", "1.5 %", [[["promptTokens"], 2000]])).toBeUndefined();
    expect(verdictOf("long-answer-", "20,000", [[["answerTokens"], 10_000]])).toBeUndefined();
    expect(verdictOf("selection-", "150 ms", [[["tokens"], 1024]])).toBeUndefined();
  });
});

it("documents may leave less than 50 MB behind", () => {
  const fileOf = (all: number, count: number) => {
    const growth = { main: 1e6, all };
    const opened = Array.from({ length: count }, (_, index) => `${index}.pdf`);
    return {
      bench: "documents",
      date: "2026-11-30T00:00:00Z",
      commit: "1",
      machine,
      electron: "45",
      growth,
      runs: [{ documents: "real", opened, growth }],
    };
  };
  const verdictsOf = (all: number, count = 50) =>
    reportOf({ "documents.json": fileOf(all, count) }).sections.flatMap(({ groups }) =>
      groups.flatMap(({ runs }) => runs.flatMap(({ shown }) => shown.verdicts.map(({ isMet }) => isMet))),
    );
  expect([verdictsOf(49.9e6), verdictsOf(50e6), verdictsOf(1e6, 20)]).toEqual([[true], [false], []]);
});

it("a figure that a file lacks is damage, not a number", () => {
  expect(() => verdictOf("eviction-smollm2-", "1.5 %", [[["measured", 0, "bytes"], {}]])).toThrow("a figure is missing");
});

it("kinds claim their own files alone", () => {
  for (const { file, text } of files) {
    const content: unknown = JSON.parse(text);
    expect(
      kinds.filter(({ claims }) => claims(content)),
      file,
    ).toHaveLength(1);
  }
});
