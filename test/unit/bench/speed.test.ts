import { describe, expect, it } from "vitest";
import { lastJson, outputOf, withoutFolders } from "../../../bench/speed/child.ts";
import { fitGrowth } from "../../../bench/speed/growth.ts";
import { benchArguments, benchMilliseconds } from "../../../bench/speed/llamaBench.ts";
import { parseSpeedOptions } from "../../../bench/speed/options.ts";
import { coresOfOthers, ticksIn } from "../../../bench/speed/others.ts";
import { isOfTurn, outcomeSchema, type TurnOutcome } from "../../../bench/speed/outcome.ts";
import { missingOf, summarise } from "../../../bench/speed/summary.ts";
import { speedTables } from "../../../bench/speed/tables.ts";
import { beginningWith, orderTurns, ownEngine, runnersOf } from "../../../bench/speed/turns.ts";

describe("the growth of a time", () => {
  const square = [1000, 2000, 4000].map((tokens) => ({ tokens, ms: 3 * tokens ** 2 }));

  it("is the exponent and the factor that the points were made with", () => {
    const growth = fitGrowth(square);
    expect(growth?.exponent).toBeCloseTo(2, 9);
    expect(growth?.factor).toBeCloseTo(3, 6);
    expect(growth?.points).toEqual(square);
  });

  it("is the line of least squares where no line goes through all points", () => {
    // Logarithms to the base 2: (0, 0), (1, 2), (2, 1), so that the slope is 1/2.
    const points = [1, 4, 2].map((ms, index) => ({ tokens: 2 ** index, ms }));
    expect(fitGrowth(points)?.exponent).toBeCloseTo(0.5, 9);
  });

  it("is not told of one length, nor of a time that is not above 0", () => {
    expect(fitGrowth(square.slice(0, 1))).toBeNull();
    expect(fitGrowth([])).toBeNull();
    expect(fitGrowth([...square, { tokens: 8000, ms: -1 }])).toBeNull();
  });
});

describe("the order of turns", () => {
  const runners = runnersOf(["stock", "llama-bench"]);

  it("has the app's engine, node-llama-cpp with each cache, and llama-bench, which reads everything twice, with one", () => {
    expect(runners.map(({ program, kvType }) => `${program} ${kvType}`)).toEqual([
      "longsight f16",
      "stock f16",
      "stock q8_0",
      "stock q4_0",
      "llama-bench f16",
    ]);
    expect(runnersOf([])).toEqual([ownEngine]);
  });

  it("begins with another one in each round, and is the same otherwise", () => {
    expect([0, 1, 5].map((round) => beginningWith(["a", "b", "c"], round).join(""))).toEqual(["abc", "bca", "cab"]);
    expect(beginningWith([], 2)).toEqual([]);
  });

  it("gives every runner one turn in each round, lengths ascending, and begins each round with another", () => {
    const turns = orderTurns([1024, 2048], 3, runners);
    expect(turns).toHaveLength(2 * 3 * 5);
    expect(new Set(turns.map((turn) => JSON.stringify(turn))).size).toBe(turns.length);
    const lengths = turns.map(({ length }) => length);
    expect(lengths).toEqual([...lengths].sort((one, other) => one - other));
    const firsts = [0, 1, 2].map((round) => turns.find((turn) => turn.round === round)?.runner);
    expect(firsts).toEqual(runners.slice(0, 3));
  });
});

describe("llama-bench", () => {
  const asked = { model: "m.gguf", promptTokens: 1016, answerTokens: 32, threads: 2, kvType: "q8_0", isOnGpu: false } as const;
  const test = (about: object) => ({ n_prompt: 0, n_gen: 0, n_depth: 0, n_threads: 2, type_k: "q8_0", type_v: "q8_0", ...about });
  const output = JSON.stringify([
    test({ n_prompt: 512, samples_ns: [5e8] }),
    test({ n_prompt: 1016, samples_ns: [1.5e9] }),
    test({ n_gen: 32, n_depth: 1016, samples_ns: [64e6] }),
  ]);

  it("is asked for the same threads, batches and caches, and for decoding behind the prompt", () => {
    const args = benchArguments(asked, "decode");
    for (const [name, value] of [
      ["-t", "2"],
      ["-d", "1016"],
      ["-n", "32"],
      ["-p", "0"],
      ["-ctk", "q8_0"],
      ["-ctv", "q8_0"],
      ["-o", "json"],
    ]) {
      expect(args[args.indexOf(name ?? "") + 1]).toBe(value);
    }
    expect(benchArguments(asked, "prefill")).toContain("512,1016");
  });

  it("is read by the test that was asked for, not by its warm-up", () => {
    expect(benchMilliseconds(output, asked, "prefill")).toBe(1500);
    expect(benchMilliseconds(output, asked, "decode")).toBe(64);
    const alike = JSON.stringify([5e8, 4e8].map((time) => test({ n_prompt: 512, samples_ns: [time] })));
    expect(benchMilliseconds(alike, { ...asked, promptTokens: 512 }, "prefill")).toBe(400);
  });

  it.each(["", "error: failed", "[]", "{}", "[1]", JSON.stringify([test({ n_prompt: 1016, samples_ns: [] })])])("refuses %j", (text) => {
    expect(() => benchMilliseconds(text, asked, "prefill")).toThrow(RangeError);
  });

  it("refuses times of another cache or of other threads", () => {
    expect(() => benchMilliseconds(output, { ...asked, kvType: "f16" }, "prefill")).toThrow(RangeError);
    expect(() => benchMilliseconds(output, { ...asked, threads: 4 }, "prefill")).toThrow(RangeError);
  });
});

describe("what other programs took of the machine", () => {
  const machine = (user: number, idle: number, stolen: number) =>
    `cpu  ${user} 0 0 ${idle} 0 0 0 ${stolen} 0 0\ncpu0 1 0 0 1 0 0 0 0 0 0\ncpu1 1 0 0 1 0 0 0 0 0 0\nintr 5\n`;
  const process = (own: number, children: number) => `7 (a) name) S 1 7 7 0 -1 0 0 0 0 0 ${own} 0 ${children} 0 20 0 1 0`;

  it("is all that was not idle but our own and our children's, in cores", () => {
    const before = ticksIn(machine(1000, 5000, 10), process(100, 50));
    expect(before).toEqual({ all: 6010, busy: 1010, own: 150, cores: 2 });
    // In 200 ticks of two cores: 160 busy, of which our child had 140.
    expect(coresOfOthers(before, ticksIn(machine(1160, 5040, 10), process(100, 190)))).toBeCloseTo(0.2, 9);
    // What somebody else had of a rented machine's cores counts.
    expect(coresOfOthers(before, ticksIn(machine(1140, 5040, 30), process(100, 190)))).toBeCloseTo(0.2, 9);
  });

  it("is never below 0, and nothing where no time went by", () => {
    const before = ticksIn(machine(1000, 5000, 0), process(100, 0));
    expect(coresOfOthers(before, ticksIn(machine(1100, 5100, 0), process(203, 0)))).toBe(0);
    expect(coresOfOthers(before, before)).toBe(0);
  });

  it("is not made up where the system does not tell", () => {
    expect(() => ticksIn("", process(1, 1))).toThrow(RangeError);
    expect(() => ticksIn(machine(1, 1, 1), "")).toThrow(RangeError);
  });
});

describe("the options of speed", () => {
  it("know how long prompts of a model may be, and are small where it is to be quick", () => {
    expect(parseSpeedOptions([]).lengths).toEqual([1024, 2048, 4096, 8192]);
    expect(parseSpeedOptions(["--model", "qwen"]).lengths.at(-1)).toBe(32_768);
    expect(parseSpeedOptions(["--quick"])).toMatchObject({ lengths: [1024], rounds: 1, isQuick: true });
    expect(parseSpeedOptions(["--quick", "--lengths", "2048,512,2048"]).lengths).toEqual([512, 2048]);
  });

  it("name policies and programs, each once", () => {
    expect(parseSpeedOptions(["--policies", "laq,snapkv,laq"]).policies).toEqual(["laq", "snapkv"]);
    expect(parseSpeedOptions(["--beside", "none"]).beside).toEqual([]);
    expect(parseSpeedOptions([]).beside).toEqual(["stock", "llama-bench"]);
  });

  it("may end a run, which goes on the next time", () => {
    expect(parseSpeedOptions([]).minutes).toBeNull();
    expect(parseSpeedOptions(["--minutes", "45"]).minutes).toBe(45);
  });

  it.each([
    ["--lengths", "1"],
    ["--lengths", ""],
    ["--rounds", "0"],
    ["--policies", "full"],
    ["--beside", "ollama"],
    ["--length", "1024"],
    ["--minutes", "0"],
  ])("refuse %s %s", (...args) => {
    expect(() => parseSpeedOptions(args)).toThrow(expect.objectContaining({ name: "UsageError" }));
  });
});

const engineTurn = (length: number, round: number, prefillMs: number, scoringMs: number): TurnOutcome => ({
  length,
  round,
  promptTokens: length - 8,
  load: 0.2,
  others: 0,
  seconds: 1,
  program: "longsight",
  kvType: "f16",
  times: {
    prefillMs,
    firstTokenMs: 1,
    cacheBytes: 24e6,
    decodeMs: [10, 12, 50],
    kept: [{ budget: 64, cacheBytes: 3e6, decodeMs: [4, 5, 6] }],
    policies: [
      {
        policy: "lookahead",
        readingMs: 0,
        draftMs: 0,
        draftTokens: 0,
        scoringMs,
        budgets: [
          { budget: 64, selectionMs: 900, gatherMs: 900 },
          { budget: 256, selectionMs: 2, gatherMs: 3 },
        ],
      },
    ],
    refused: [{ policy: "speckv", reason: "No draft." }],
  },
});
const head = { round: 0, promptTokens: 1016, load: 0, others: null, seconds: 1, length: 1024 } as const;
const stockTurn: TurnOutcome = { ...head, program: "stock", kvType: "q8_0", times: { prefillMs: 2000, decodeMs: [20] } };
const failedTurn: TurnOutcome = { ...head, program: "llama-bench", kvType: "q4_0", failed: "It could not be started." };

describe("the summary of speed", () => {
  const outcomes = [engineTurn(1024, 0, 1000, 15), engineTurn(1024, 1, 2000, 15), engineTurn(1024, 2, 1000, 25), stockTurn, failedTurn];

  it("has medians over the rounds, each token's median in them, and shares of each round's own reading", () => {
    const [first] = summarise(outcomes, 256).lengths;
    expect(first?.own).toMatchObject({ prefillMs: 1000, decodeMs: 12, kept: [{ budget: 64, decodeMs: 5 }] });
    // Scoring, and what choosing at the reference budget takes: 20, 20 and 30 ms.
    expect(first?.own?.policies).toMatchObject([{ policy: "lookahead", scoringMs: 15, addedMs: 20, share: 0.02 }]);
    expect(first?.others).toMatchObject([{ program: "stock", kvType: "q8_0", prefillMs: 2000, decodeMs: 20 }]);
  });

  it("has how far the rounds lie apart, and how many there were", () => {
    const [first] = summarise(outcomes, 256).lengths;
    expect(first?.own).toMatchObject({ rounds: 3, prefillRange: [1000, 2000], decodeRange: [12, 12] });
    expect(first?.own?.policies[0]?.shareRange).toEqual([0.01, 0.03]);
    expect(first?.others[0]).toMatchObject({ rounds: 1, prefillRange: [2000, 2000], decodeRange: [20, 20] });
  });

  it("has the allocated caches", () => {
    expect(summarise(outcomes, 256).lengths[0]?.own).toMatchObject({ cacheBytes: 24e6, kept: [{ budget: 64, cacheBytes: 3e6 }] });
  });

  it("fits each stage over the lengths", () => {
    const { growth } = summarise([...outcomes, engineTurn(2040, 0, 2000, 75)], 256);
    const of = (what: string, stage: string) => growth.find((one) => one.what === what && one.stage === stage);
    expect(of("longsight, full", "reading")?.exponent).toBeCloseTo(1, 9);
    expect(of("lookahead", "all that it adds")?.exponent).toBeCloseTo(2, 9);
    expect(of("longsight, 64 kept", "decoding")?.exponent).toBeCloseTo(0, 9);
    expect(of("stock, q8_0", "reading")).toMatchObject({ exponent: null, points: [{ tokens: 1016, ms: 2000 }] });
  });

  it("says once what was not had, and does without it", () => {
    expect(missingOf(outcomes, [{ what: "stock", reason: "No network." }])).toEqual([
      { what: "stock", reason: "No network." },
      { what: "the policy speckv, 1,024 tokens", reason: "No draft." },
      { what: "llama-bench, q4_0, 1,024 tokens", reason: "It could not be started." },
    ]);
    expect(summarise([stockTurn, failedTurn], 256).lengths[0]?.own).toBeNull();
  });

  it("is a table of tokens a second and of what policies add", () => {
    const table = speedTables(summarise(outcomes, 256), 256);
    expect(table).toMatch(/longsight, full, f16 +1016\.0 +83\.3/);
    expect(table).toMatch(/stock, full, q8_0 +508\.0 +50\.0/);
    expect(table).toMatch(/lookahead .* 20\.0 +2\.00 %/);
  });

  it("finds a turn's outcome again in a journal", () => {
    const [read] = [outcomeSchema.parse(JSON.parse(JSON.stringify(stockTurn)))];
    expect(read).toEqual(stockTurn);
    expect(isOfTurn(stockTurn, { length: 1024, round: 0, runner: { program: "stock", kvType: "q8_0" } })).toBe(true);
    expect(isOfTurn(stockTurn, { length: 1024, round: 0, runner: { program: "stock", kvType: "f16" } })).toBe(false);
    expect(isOfTurn(stockTurn, { length: 1024, round: 1, runner: { program: "stock", kvType: "q8_0" } })).toBe(false);
  });
});

describe("a process of its own", () => {
  const run = (script: string) => outputOf(process.execPath, ["-e", script]);

  it("hands over the last line that it writes", async () => {
    expect(lastJson(await run(`console.log("hello"); console.log('{"ms":1}')`))).toEqual({ ms: 1 });
    expect(() => lastJson("no JSON")).toThrow(expect.objectContaining({ name: "ChildError" }));
  });

  it("says why it ended, without folders", async () => {
    await expect(run(`console.error("Error: no room in " + "/some/place/model.gguf"); process.exit(3)`)).rejects.toThrow(
      "Error: no room in model.gguf (exit code 3)",
    );
    await expect(run(`process.kill(process.pid, "SIGKILL"); setTimeout(() => {}, 1e4)`)).rejects.toThrow("SIGKILL");
    await expect(outputOf("no-such-program", [])).rejects.toThrow("could not be started");
  });

  it("leaves what is no folder", () => {
    expect(withoutFolders("read/write of C:\\models\\a.gguf at 3/4")).toBe("read/write of a.gguf at 3/4");
  });
});
