import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readDump } from "../../../bench/guard/callgrind.ts";
import { countChecks, linesOf } from "../../../bench/guard/check.ts";
import {
  type Counts,
  judgeNative,
  judgeSelection,
  type NativeCounts,
  notesOn,
  type Stored,
  storedSchema,
  withCounts,
} from "../../../bench/guard/counts.ts";
import { expectations, judgeQuality } from "../../../bench/guard/expectations.ts";
import { countsOf } from "../../../bench/guard/native.ts";
import { parseGuardOptions } from "../../../bench/guard/options.ts";
import { parts } from "../../../bench/guard/parts.ts";
import { type ItemOutcome, type Quality, summarise } from "../../../bench/guard/quality.ts";
import { questions, stories, words } from "../../../bench/guard/texts.ts";

const countsFile = fileURLToPath(new URL("../../../bench/guard/counts.json", import.meta.url));
const programFile = fileURLToPath(new URL("../../../native/count/count.cpp", import.meta.url));

const counts: Counts = { ...Object.fromEntries(parts.map(({ name }) => [name, 1_000_000])), gather: 8_000_000, copy: 3_000_000 };
const native: NativeCounts = { compiler: "GCC: (Debian) 12.2.0", libc: "glibc 2.36", valgrind: "3.19.0", flags: "", counts };
const selection = { node: "20.20.2", counts: { selection: 5_000_000 } };
const stored: Stored = { native: [native], selection: [selection] };

/** The same counts, but for some of them. */
const changed = (factors: Counts): NativeCounts => ({
  ...native,
  counts: Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Math.round(count * (factors[name] ?? 1))])),
});
const failedOf = (checks: ReturnType<typeof judgeNative>) => checks.filter(({ state }) => state === "failed").map(({ text }) => text);

describe("what callgrind counted", () => {
  const dump = (part: number, trigger: string, total: number) =>
    `# callgrind format\nversion: 1\npart: ${part}\n\ndesc: Timerange: Basic block 0 - 9\ndesc: Trigger: ${trigger}\n\nevents: Ir\nsummary: ${total}\n\ntotals: ${total}\n`;

  it("is read with what ended it", () => {
    expect(readDump(dump(3, "--dump-after=count_gather", 412_265))).toEqual({ part: 3, trigger: "count_gather", instructions: 412_265 });
    expect(readDump(dump(1, "Program termination", 7))?.trigger).toBe("Program termination");
    expect(readDump("something else")).toBeNull();
  });

  it("is of the last call of each part", () => {
    const dumps = [9, 7, 8].map((instructions, index) => ({
      part: index,
      trigger: index < 2 ? "count_gather" : "count_copy",
      instructions,
    }));
    expect(countsOf(dumps)).toEqual({ gather: 7, copy: 8 });
    expect(countsOf([{ part: 1, trigger: "count_gather", instructions: 0 }])).toEqual({});
  });

  it("is of functions that the program has, all of them", async () => {
    const functions = Array.from((await readFile(programFile, "utf8")).matchAll(/^COUNTED (\w+)\(/gm), ([, name]) => name);
    expect(parts.map(({ symbol }) => symbol).sort()).toEqual(functions.sort());
  });
});

describe("instructions with the compiler and C library that were stored", () => {
  it("pass where they are the same, or nearly", () => {
    expect(failedOf(judgeNative(stored, native))).toEqual([]);
    const near = judgeNative(stored, changed({ gather: 1.029, answer: 0.971 }));
    expect(failedOf(near)).toEqual([]);
    expect(near).toHaveLength(parts.length);
    expect(linesOf(near)).toContain("gathering what is kept: 8,232,000 instructions, 2.9 % more than the 8,000,000 that are stored");
  });

  it("fail where one part is slower, and say which, and by how much", () => {
    const [failure, ...others] = failedOf(judgeNative(stored, changed({ gather: 1.04 })));
    expect(others).toEqual([]);
    expect(failure).toMatch(/^gathering what is kept: .* 4\.0 % more .* if they are meant, store them: npm run bench -- guard --store$/);
  });

  it("fail where a part is far quicker, since the next loss would not be seen", () => {
    const [failure] = failedOf(judgeNative(stored, changed({ rowsScores: 0.6 })));
    expect(failure).toMatch(/40 % fewer .* Store them/);
  });

  it("fail where a part was not counted, or never stored", () => {
    const { gather: _gather, ...less } = counts;
    expect(failedOf(judgeNative(stored, { ...native, counts: less }))).toEqual(["gathering what is kept: it was not counted."]);
    const lacking = { ...stored, native: [{ ...native, counts: less }] };
    expect(failedOf(judgeNative(lacking, native))[0]).toMatch(/none are stored/);
  });
});

describe("instructions with another compiler", () => {
  const other = (of: NativeCounts): NativeCounts => ({ ...of, compiler: "Debian clang version 19" });

  it("pass where every part is so many times as much, and it is said what is seen", () => {
    const all = other(changed(Object.fromEntries(parts.map(({ name }) => [name, 2]))));
    const checks = judgeNative(stored, all);
    expect(failedOf(checks)).toEqual([]);
    expect(checks).toHaveLength(parts.filter(({ beside }) => beside !== null).length);
    expect(notesOn(stored, all, selection)[0]).toContain(
      "Nothing is stored of this compiler and C library (Debian clang version 19, glibc 2.36)",
    );
    expect(notesOn(stored, native, selection)).toEqual([]);
  });

  it("fail where a part is slower than what stands beside it, not where it is quicker", () => {
    expect(failedOf(judgeNative(stored, other(changed({ gather: 1.3, promptScores: 0.5 }))))).toEqual([
      expect.stringMatching(
        /^gathering what is kept: 3\.467 of the instructions of copying rows, 30 % more than the 2\.667 that are stored/,
      ),
    ]);
  });

  it("take the place of what was stored of the same one, or stand behind the others", () => {
    const again = { ...native, counts: { ...counts, gather: 1 } };
    expect(withCounts(stored, again, selection)).toEqual({ ...stored, native: [again] });
    const all = withCounts(stored, other(native), { node: "24.1.0", counts: { selection: 1 } });
    expect(all.native.map(({ compiler }) => compiler)).toEqual([native.compiler, "Debian clang version 19"]);
    expect(all.selection.map(({ node }) => node)).toEqual(["20.20.2", "24.1.0"]);
  });
});

describe("instructions of the selection", () => {
  const judge = (node: string, count: number) => judgeSelection(stored, { node, counts: { selection: count } }).map(({ state }) => state);

  it("are held against the same interpreter's closely, and against another's with room", () => {
    expect(judge("20.20.2", 5_100_000)).toEqual(["passed"]);
    expect(judge("20.20.2", 5_200_000)).toEqual(["failed"]);
    expect(judge("20.20.2", 4_000_000)).toEqual(["failed"]);
    expect(judge("24.1.0", 6_000_000)).toEqual(["passed"]);
    expect(judge("24.1.0", 7_000_000)).toEqual(["failed"]);
    expect(judge("24.1.0", 1_000_000)).toEqual(["passed"]);
    expect(notesOn(stored, native, { ...selection, node: "24.1.0" })).toHaveLength(1);
  });
});

it("stored counts are there for every part", async () => {
  const { native: all, selection: selections } = storedSchema.parse(JSON.parse(await readFile(countsFile, "utf8")));
  for (const one of all) expect(Object.keys(one.counts).sort()).toEqual(parts.map(({ name }) => name).sort());
  for (const one of selections) expect(one.counts["selection"]).toBeGreaterThan(0);
});

describe("the fixed run of the embedded model", () => {
  /** As it was measured. */
  const usual: Quality = {
    needles: { count: 10, full: 10, lookahead: 10, snapkv: 0 },
    recall: { lookahead: 0.818, snapkv: 0.461 },
    agreement: { lookahead: 0.915, snapkv: 0.548 },
  };
  const failures = (quality: Quality) => failedOf(judgeQuality(quality)).map((text) => text.replace(/:.*/, ""));

  it("passes as it was measured", () => {
    expect(failures(usual)).toEqual([]);
    for (const { what, readFrom, measured } of expectations) expect(readFrom(usual), what).toBeCloseTo(measured, 2);
  });

  it("fails where a module keeps no more than SnapKV does", () => {
    const poor: Quality = {
      needles: { ...usual.needles, lookahead: 1 },
      recall: { ...usual.recall, lookahead: 0.5 },
      agreement: { ...usual.agreement, lookahead: 0.6 },
    };
    expect(failures(poor)).toEqual(expectations.map(({ what }) => what).filter((what) => !/^SnapKV|full cache finds/.test(what)));
  });

  it("fails where the full cache itself is worse, or SnapKV", () => {
    expect(failures({ ...usual, needles: { ...usual.needles, full: 5 } })).toEqual(["needles that the full cache finds"]);
    expect(failures({ ...usual, recall: { ...usual.recall, snapkv: 0.3 } })).toEqual(["SnapKV's recall"]);
  });

  it("sums up needles, and takes means of the rest", () => {
    const looked = { found: true, recall: 0.5, agreement: 1 };
    const outcome: ItemOutcome = { fullFound: true, lookahead: looked, snapkv: { ...looked, found: false } };
    const open: ItemOutcome = { fullFound: null, lookahead: { ...looked, found: null, recall: 1 }, snapkv: { ...looked, found: null } };
    expect(summarise([outcome, open])).toEqual({
      needles: { count: 1, full: 1, lookahead: 1, snapkv: 0 },
      recall: { lookahead: 0.75, snapkv: 0.5 },
      agreement: { lookahead: 1, snapkv: 1 },
    });
  });

  it("has texts in which no number stands that could be taken for a needle, and words and questions enough", () => {
    for (const story of stories) expect(story).not.toMatch(/\d/);
    expect(questions).toHaveLength(stories.length);
    expect(new Set(words.adjectives).size).toBe(words.adjectives.length);
    expect(new Set(words.nouns).size).toBe(words.nouns.length);
  });
});

describe("the guard's command", () => {
  it("looks at both, or at one, and stores counts alone", () => {
    expect(parseGuardOptions([])).toEqual({ kinds: ["counts", "quality"], isStored: false, report: null });
    expect(parseGuardOptions(["--only", "quality", "--report", "x.json"])).toEqual({
      kinds: ["quality"],
      isStored: false,
      report: "x.json",
    });
    expect(parseGuardOptions(["--store"])).toEqual({ kinds: ["counts"], isStored: true, report: null });
    expect(() => parseGuardOptions(["--only", "speed"])).toThrow("--only takes counts, quality");
    expect(() => parseGuardOptions(["--store", "--only", "quality"])).toThrow("--store stores counts");
    expect(() => parseGuardOptions(["--fast"])).toThrow("--only, --store, --report");
  });

  it("counts its checks as npm test does", () => {
    const checks = (["passed", "failed", "passed", "skipped"] as const).map((state) => ({ state, text: state }));
    expect(countChecks(checks)).toEqual({ passed: 2, failed: 1, skipped: 1 });
    expect(linesOf(checks).split("\n")).toEqual(["✔ passed", "✘ failed", "✔ passed", "– skipped"]);
  });
});
