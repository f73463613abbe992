import { describe, expect, it } from "vitest";
import { UsageError } from "../../../../bench/quality/options.ts";
import { decidingOptions, parseQualityOptions } from "../../../../bench/quality-sets/options.ts";
import { chooseTasks } from "../../../../bench/quality-sets/tasks.ts";

describe("options of the bench of quality", () => {
  it("have defaults, and shorter ones for --quick that can be changed", () => {
    expect(parseQualityOptions([])).toMatchObject({
      tasks: ["ruler", "reading", "longproc", "agreement", "temperature"],
      items: 20,
      tokens: 2048,
      budgets: [64, 128, 256, 512, 1024],
      modules: ["shipped", "untrained"],
      policies: ["snapkv", "streamingllm"],
      minutes: null,
      answerTokens: null,
    });
    expect(parseQualityOptions(["--items", "3", "--quick"])).toMatchObject({
      items: 3,
      tokens: 1024,
      budgets: [64, 128],
      minutes: 4,
      answerTokens: 32,
    });
    expect(parseQualityOptions(["--quick", "--minutes", "2"]).minutes).toBe(2);
  });

  it.each([
    [["--policies", "snapkv,guess"], /--policies takes .*h2o.*oracle, not “guess”/],
    [["--policies", "lookahead"], /not “lookahead”/],
    [["--policies", "speckv"], /not “speckv”/],
    [["--minutes", "0"], /--minutes takes a whole number from 1/],
    [["--quick=yes"], /--quick/],
    [["--tokens", "100"], /--tokens takes a whole number from 300/],
  ])("refuse %j with a sentence", (args, message) => {
    expect(() => parseQualityOptions(args)).toThrow(UsageError);
    expect(() => parseQualityOptions(args)).toThrow(message);
  });

  it("decide what comes of an item where they are not about which ones are measured", () => {
    const deciding = (...args: string[]) => decidingOptions(parseQualityOptions(args));
    expect(deciding("--tasks", "vt", "--items", "7", "--minutes", "3")).toEqual(deciding());
    for (const args of [
      ["--tokens", "4096"],
      ["--budgets", "64"],
      ["--policies", "snapkv-unpooled"],
      ["--quick", "--tokens", "2048"],
    ]) {
      expect(deciding(...args)).not.toEqual(deciding());
    }
  });

  it("name tasks and groups", () => {
    expect(chooseTasks(["ruler"])).toHaveLength(11);
    expect(chooseTasks(["xquad_en", "vt", "vt"]).map(({ name }) => name)).toEqual(["vt", "xquad_en"]);
    expect(() => chooseTasks(["vt", "riddles"])).toThrow(/no task “riddles”.*ruler.*niah_single_1.*mt_bench/);
    expect(() => chooseTasks(parseQualityOptions(["--quick"]).tasks)).not.toThrow();
  });
});
