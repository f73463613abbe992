import { describe, expect, it } from "vitest";
import { courseOf } from "../../../bench/memory/course.ts";
import { parseMemoryOptions } from "../../../bench/memory/options.ts";
import { type MeasuredOutcome, type MemoryOutcome, outcomeSchema } from "../../../bench/memory/outcome.ts";
import { type Resident, residentIn } from "../../../bench/memory/resident.ts";
import { rows } from "../../../bench/memory/rows.ts";
import { createStageMeter, type Stage, stageAfter } from "../../../bench/memory/stages.ts";
import { missingOf, summarise } from "../../../bench/memory/summary.ts";
import { memoryTable } from "../../../bench/memory/table.ts";
import type { ProgressEvent } from "../../../electron/contract/engine.ts";

describe("what is resident", () => {
  const status = "Name:\tnode\nVmHWM:\t    3000 kB\nVmRSS:\t    2000 kB\nRssAnon:\t  1500 kB\nRssFile:\t  400 kB\nRssShmem:\t  100 kB\n";

  it("is read in bytes, with what belongs to no file", () => {
    expect(residentIn(status)).toEqual({ now: 2_048_000, own: 1_638_400, most: 3_072_000 });
  });

  it("is not there of a process that has ended", () => {
    expect(() => residentIn("Name:\tnode\nState:\tZ (zombie)\n")).toThrow(RangeError);
  });
});

describe("the stage of an answer", () => {
  const event = (stage: ProgressEvent["stage"], fraction: number): ProgressEvent => ({
    event: "progress",
    stage,
    fraction,
    done: fraction,
    total: 1,
    secondsLeft: null,
  });
  const follow = (way: "full" | "question" | "once", events: readonly ProgressEvent[]): Stage[] => {
    const seen: Stage[] = ["load"];
    for (const one of events) seen.push(stageAfter(seen.at(-1) ?? "load", one, way));
    return seen.slice(1);
  };

  it("is decoding only when the kept cache is there: the first token comes from the full one", () => {
    const events = [
      event("prefill", 0),
      event("prefill", 1),
      event("decode", 0),
      event("decode", 0.1),
      event("scoring", 0),
      event("scoring", 1),
      event("eviction", 0),
      event("eviction", 1),
      event("decode", 0.2),
    ];
    expect(follow("question", events)).toEqual([
      "prefill",
      "prefill",
      "prefill",
      "prefill",
      "scoring",
      "scoring",
      "eviction",
      "decode",
      "decode",
    ]);
  });

  it("is decoding at once where nothing is evicted after the prompt", () => {
    const events = [event("wait", 0), event("prefill", 0), event("decode", 0)];
    expect(follow("full", events)).toEqual(["load", "prefill", "decode"]);
    expect(follow("once", events)).toEqual(["load", "prefill", "decode"]);
    expect(stageAfter("decode", { event: "token", text: "a" }, "full")).toBe("decode");
  });
});

describe("the meter of stages", () => {
  /** A process whose memory is set by hand; it counts its most as Linux does. */
  function madeProcess(canForget: boolean) {
    const resident = { now: 0, own: 0, most: 0 };
    let clock = 0;
    return {
      set(now: number) {
        Object.assign(resident, { now, own: now / 2, most: Math.max(resident.most, now) });
      },
      source: {
        now: () => {
          clock += 10;
          return clock;
        },
        read: (): Resident => ({ ...resident }),
        forgetMost: () => {
          if (canForget) resident.most = resident.now;
          return canForget;
        },
      },
    };
  }

  it("has the most of each stage, also what was there between two looks, and what was there at its last look", () => {
    const { set, source } = madeProcess(true);
    set(100);
    const meter = createStageMeter("load", source);
    set(900);
    set(300);
    meter.look();
    set(310);
    meter.begin("prefill");
    meter.begin("prefill");
    set(400);
    const stages = meter.end();
    expect(stages).toEqual([
      { stage: "load", fromMs: 10, toMs: 20, mostBytes: 900, endBytes: 300, ownBytes: 150 },
      { stage: "prefill", fromMs: 30, toMs: 40, mostBytes: 400, endBytes: 400, ownBytes: 200 },
    ]);
  });

  it("does without forgetting: an earlier stage's most is not taken for this one's", () => {
    const { set, source } = madeProcess(false);
    set(100);
    const meter = createStageMeter("load", source);
    set(900);
    set(300);
    meter.begin("prefill");
    set(400);
    meter.look();
    meter.begin("decode");
    set(1000);
    set(200);
    expect(meter.end().map(({ mostBytes }) => mostBytes)).toEqual([900, 400, 1000]);
  });
});

describe("a course", () => {
  it("has the most of each stretch, and where nothing was sampled what was there before", () => {
    const samples = [5, 20, 60, 190, 500].map((atMs) => ({ atMs: 1000 + atMs, bytes: atMs }));
    expect(courseOf(samples, 1000, 1200, 50)).toEqual({ everyMs: 50, bytes: [20, 60, 60, 190] });
  });

  it("of a long answer has a hundred points", () => {
    const samples = Array.from({ length: 5000 }, (_, index) => ({ atMs: index * 50, bytes: index }));
    const { everyMs, bytes } = courseOf(samples, 0, 250_000, 50);
    expect([everyMs, bytes.length, bytes[0], bytes.at(-1)]).toEqual([2500, 100, 49, 4999]);
  });

  it("of nothing is empty", () => {
    expect(courseOf([], 0, 100, 50).bytes).toEqual([]);
  });
});

describe("the options of memory", () => {
  it("are every row by default, in the table's order however they are named", () => {
    expect(parseMemoryOptions([]).rows).toEqual(rows);
    expect(rows).toHaveLength(10);
    const chosen = parseMemoryOptions(["--rows", "streaming-f16,full-f16,full-f16"]);
    expect(chosen.rows.map(({ name }) => name)).toEqual(["full-f16", "streaming-f16"]);
  });

  it.each([
    ["--rows", "full"],
    ["--rows", ""],
    ["--budget", "4000"],
    ["--tokens", "100"],
    ["--modules", "untrained"],
  ])("refuse %s %j", (...args) => {
    expect(() => parseMemoryOptions(args)).toThrow(expect.objectContaining({ name: "UsageError" }));
  });
});

type Stages = MeasuredOutcome["stages"];
const at = (stage: Stage, mostBytes: number, endBytes: number): Stages[number] => ({
  stage,
  fromMs: 0,
  toMs: 1,
  mostBytes,
  endBytes,
  ownBytes: endBytes / 2,
});
const outcome = (row: string, round: number, stages: Stages): MeasuredOutcome => ({
  row,
  round,
  load: 0,
  seconds: 1,
  promptTokens: 600,
  answerTokens: 16,
  policy: row.startsWith("full") ? "full" : "lookahead",
  evictions: 1,
  weightsBytes: 140e6,
  fullCacheBytes: 24e6,
  keptCacheBytes: 2e6,
  cacheBytesAfter: 0,
  stages,
  course: { everyMs: 50, bytes: [round] },
});

describe("the summary of memory", () => {
  const outcomes: MemoryOutcome[] = [
    outcome("question-f16", 0, [at("load", 900e6, 300e6), at("prefill", 400e6, 390e6), at("eviction", 450e6, 200e6)]),
    outcome("question-f16", 1, [at("load", 900e6, 300e6), at("prefill", 420e6, 410e6), at("eviction", 410e6, 220e6)]),
    outcome("question-f16", 2, [at("load", 900e6, 300e6), at("prefill", 430e6, 420e6), at("eviction", 440e6, 230e6)]),
    outcome("full-f16", 0, [at("decode", 350e6, 340e6), at("prefill", 300e6, 290e6), at("decode", 320e6, 310e6)]),
    { row: "full-q8_0", round: 0, load: 0, seconds: 1, failed: "No room." },
    { row: "full-q8_0", round: 1, load: 0, seconds: 1, failed: "No room." },
  ];
  const [full, kept, ...more] = summarise(outcomes, rows);

  it("has medians by stage, and the most while answering, which loading is no part of", () => {
    expect(more).toEqual([]);
    expect(kept).toMatchObject({ row: "question-f16", rounds: 3, policy: "lookahead", mostBytes: 440e6, mostRange: [420e6, 450e6] });
    expect(kept?.stages).toEqual([
      { stage: "load", mostBytes: 900e6, endBytes: 300e6, ownBytes: 150e6 },
      { stage: "prefill", mostBytes: 420e6, endBytes: 410e6, ownBytes: 205e6 },
      { stage: "eviction", mostBytes: 440e6, endBytes: 220e6, ownBytes: 110e6 },
    ]);
  });

  it("shows the course of the round in the middle", () => {
    expect(kept?.course.bytes).toEqual([2]);
  });

  it("takes a stage that came twice by its most and its last end", () => {
    expect(full?.stages.find(({ stage }) => stage === "decode")).toEqual({
      stage: "decode",
      mostBytes: 350e6,
      endBytes: 310e6,
      ownBytes: 155e6,
    });
  });

  it("says once what was not had", () => {
    expect(missingOf(outcomes)).toEqual([{ what: "full-q8_0", reason: "No room." }]);
  });

  it("is a table of megabytes", () => {
    expect(memoryTable(summarise(outcomes, rows))).toMatch(/question-f16 .* 440\.0 → 220\.0 .* 24\.0 +2\.0$/m);
  });

  it("finds outcomes again in a journal", () => {
    for (const one of outcomes) expect(outcomeSchema.parse(JSON.parse(JSON.stringify(one)))).toEqual(one);
  });
});
