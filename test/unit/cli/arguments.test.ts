import { describe, expect, it } from "vitest";
import { parseCommand, usage } from "../../../electron/cli/arguments.ts";
import { exitCodeOf, LongsightError } from "../../../electron/contract/errors.ts";

/** The problem that a command line gives. */
function problemOf(argv: readonly string[]): LongsightError {
  try {
    parseCommand(argv);
  } catch (error) {
    if (error instanceof LongsightError) return error;
    throw error;
  }
  throw new Error(`accepted: ${argv.join(" ")}`);
}

const asking = ["ask", "a file.pdf", "--question", "Why?"];

const defaults = {
  question: "Why?",
  budget: "full",
  policy: "full",
  mode: "question",
  "max-tokens": 256,
  temperature: 0,
  "top-p": 0.95,
  "top-k": 40,
  "min-p": 0.05,
  "repetition-penalty": 0.8,
  stop: [],
  modules: [],
  pin: [],
  "pin-text": [],
  share: "score",
  "kv-type": "f16",
  "no-snapshots": false,
  json: false,
};

describe("ask", () => {
  it("needs a file and a question, and fills in the rest", () => {
    expect(parseCommand(asking)).toEqual({ name: "ask", files: ["a file.pdf"], options: defaults });
  });

  it.each([
    ["--pages", "3-20", "3-20"],
    ["--model", "/models/it's mine.gguf", "/models/it's mine.gguf"],
    ["--budget", "full", "full"],
    ["--policy", "snapkv", "snapkv"],
    ["--policy", "laq", "laq"],
    ["--draft-model", "/models/small.gguf", "/models/small.gguf"],
    ["--mode", "streaming", "streaming"],
    ["--max-tokens", "1", 1],
    ["--temperature", "0.7", 0.7],
    ["--temperature", "5", 5],
    ["--top-p", "1", 1],
    ["--top-k", "0", 0],
    ["--min-p", "0", 0],
    ["--repetition-penalty", "0", 0],
    ["--repetition-penalty", "1.5", 1.5],
    ["--seed", "0", 0],
    ["--seed", "4294967295", 4_294_967_295],
    ["--context", "256", 256],
    ["--kv-type", "q4_0", "q4_0"],
    ["--threads", "512", 512],
    ["--password", "", ""],
    ["--password", "pass word=ü", "pass word=ü"],
  ])("takes %s %s", (option, text, value) => {
    const command = parseCommand([...asking, option, text]);
    expect(command).toMatchObject({ name: "ask", options: { ...defaults, [option.slice(2)]: value } });
    // The same written as one word.
    expect(parseCommand([...asking, `${option}=${text}`])).toEqual(command);
  });

  it("chooses lookahead where there is a budget and no policy", () => {
    expect(parseCommand([...asking, "--budget", "128"])).toMatchObject({ options: { ...defaults, budget: 128, policy: "lookahead" } });
    expect(parseCommand([...asking, "--budget", "128", "--policy", "random"])).toMatchObject({ options: { policy: "random" } });
    expect(parseCommand([...asking, "--budget", "full"])).toMatchObject({ options: { policy: "full" } });
  });

  it("takes several files, several stop strings, and options anywhere", () => {
    expect(parseCommand(["ask", "--json", "a.pdf", "--stop", "END", "b.md", "--question= Why?\n", "--stop", "\n\n"])).toEqual({
      name: "ask",
      files: ["a.pdf", "b.md"],
      options: { ...defaults, json: true, stop: ["END", "\n\n"] },
    });
    expect(parseCommand([...asking, "--modules", "one", "--modules=two"])).toMatchObject({ options: { modules: ["one", "two"] } });
    expect(parseCommand([...asking, "--", "-odd name.pdf"])).toMatchObject({ files: ["a file.pdf", "-odd name.pdf"] });
  });

  it.each([
    ["--budget", "0"],
    ["--budget", "1.5"],
    ["--budget", "half"],
    ["--budget", ""],
    ["--policy", "best"],
    ["--policy", "oracle"],
    ["--draft-model", ""],
    ["--mode", "fast"],
    ["--max-tokens", "0"],
    ["--max-tokens", "ten"],
    ["--max-tokens", "2.5"],
    ["--max-tokens", "1000001"],
    ["--temperature", "5.1"],
    ["--temperature", "-1"],
    ["--temperature", "warm"],
    ["--temperature", ""],
    ["--top-p", "0"],
    ["--top-p", "1.1"],
    ["--top-p", "x"],
    ["--top-k", "-1"],
    ["--top-k", "x"],
    ["--min-p", "2"],
    ["--min-p", " "],
    ["--repetition-penalty", "-1"],
    ["--repetition-penalty", "6"],
    ["--repetition-penalty", ""],
    ["--stop", ""],
    ["--modules", ""],
    ["--seed", "-1"],
    ["--seed", "4294967296"],
    ["--seed", ""],
    ["--context", "255"],
    ["--context", "4194305"],
    ["--kv-type", "f32"],
    ["--threads", "0"],
    ["--threads", "513"],
    ["--threads", "NaN"],
    ["--question", "  \n "],
  ])("refuses %s %j and names the option once", (option, text) => {
    const { code, message } = problemOf([...asking, `${option}=${text}`]);
    expect(code).toBe("usage");
    expect(message.split(option)).toHaveLength(2);
    expect(message).toMatch(/^--[a-z-]+ (takes|is empty).*help/);
  });

  it("says what an option takes", () => {
    expect(problemOf([...asking, "--kv-type", "f32"]).message).toContain("f16, q8_0, q4_0");
    expect(problemOf([...asking, "--threads", "none"]).message).toContain("from 1 to 512");
    expect(problemOf([...asking, "--budget", "none"]).message).toContain("full");
  });

  it("says what is missing or too much", () => {
    expect(problemOf(["ask", "--question", "Why?"]).message).toMatch(/FILE/);
    expect(problemOf(["ask", "a.pdf"]).message).toMatch(/--question is missing/);
    expect(problemOf([...asking, "b.pdf", "--pages", "1"]).message).toMatch(/--pages/);
    expect(problemOf([...asking, "--fast"]).message).toMatch(/--fast/);
    expect(problemOf([...asking, "--model"]).message).toMatch(/--model/);
    expect(problemOf([...asking, "--json=yes"]).message).toMatch(/--json/);
    // A number that begins with a dash is taken for an option: one line says so.
    expect(problemOf([...asking, "--seed", "-5"]).message).toMatch(/^[^\n]*--seed[^\n]*$/);
  });
});

describe("compare", () => {
  const comparing = ["compare", "a.pdf", "--question", "Why?", "--budget", "64"];

  it("takes what ask takes, and a budget in any case", () => {
    const { mode: _mode, ...shared } = defaults;
    expect(parseCommand(comparing)).toEqual({ name: "compare", files: ["a.pdf"], options: { ...shared, budget: 64, policy: "lookahead" } });
    expect(
      parseCommand([...comparing, "--policy", "tova", "--stop", "A", "--stop", "B", "--share", "even", "--pin", "a.pdf:1:0-9"]),
    ).toMatchObject({
      options: { policy: "tova", stop: ["A", "B"], share: "even", pin: [{ file: "a.pdf", page: 1, start: 0, end: 9 }] },
    });
  });

  it.each([
    [["compare", "a.pdf", "--question", "?"], /--budget is missing/],
    [[...comparing, "--budget", "full"], /--budget takes a whole number/],
    [[...comparing, "--policy", "full"], /--policy takes one of: lookahead/],
    [[...comparing, "--share", "half"], /--share takes one of: score, even, length/],
    [[...comparing, "--mode", "once"], /--mode/],
    [["compare", "--question", "?", "--budget", "1"], /FILE/],
  ])("refuses %j", (argv, message) => {
    expect(problemOf(argv).message).toMatch(message);
  });
});

describe("heatmap", () => {
  const drawing = ["heatmap", "a.pdf", "--question", "Why?", "--budget", "64", "--out"];

  it("needs a budget and a file to write, whose name says what it is to be", () => {
    const { question, "kv-type": kvType, modules, json, pin, "pin-text": pinText, share } = defaults;
    expect(parseCommand([...drawing, "out/a.b.JSON"])).toEqual({
      name: "heatmap",
      files: ["a.pdf"],
      options: {
        question,
        "kv-type": kvType,
        modules,
        pin,
        "pin-text": pinText,
        share,
        "no-snapshots": false,
        json,
        budget: 64,
        policy: "lookahead",
        out: { path: "out/a.b.JSON", format: "json" },
      },
    });
    expect(parseCommand([...drawing, "a.html"])).toMatchObject({ options: { out: { format: "html" } } });
    expect(parseCommand([...drawing, "a.png", "--policy", "snapkv", "--seed", "3", "--pages", "2"])).toMatchObject({
      options: { out: { format: "png" }, policy: "snapkv", seed: 3, pages: "2" },
    });
  });

  it.each([
    [[...drawing, "a.svg"], /--out .*\.json, \.html or \.png/],
    [[...drawing, "html"], /--out/],
    [[...drawing.slice(0, -1)], /--out is missing/],
    [[...drawing, "a.png", "--policy", "full"], /--policy takes one of: lookahead/],
    [[...drawing, "a.png", "--budget", "full"], /--budget takes a whole number/],
    [["heatmap", "a.pdf", "--question", "?", "--out", "a.png"], /--budget is missing/],
    [[...drawing, "a.png", "--budget", "-5"], /^--budget takes a whole number from 1\. Run/],
    [["ask", "a.pdf", "--question", "?", "--budget", "-5"], /^--budget takes “full” or a whole number from 1\. Run/],
    [["ask", "a.pdf", "--question", "?", "--temperature", "-.5"], /^--temperature takes a number from 0 to 5\. Run/],
    [["ask", "a.pdf", "--question", "--budget", "5"], /^--question needs a value; .*--question=VALUE/],
    [["ask", "a.pdf", "--question"], /^--question needs a value/],
    [["ask", "a.pdf", "--json", "-5", "--question", "?"], /-5/],
    [["heatmap", "--question", "?", "--budget", "1", "--out", "a.png"], /FILE/],
    [[...drawing, "a.png", "b.pdf", "--pages", "1"], /--pages/],
    [[...drawing, "a.png", "--max-tokens", "4"], /--max-tokens/],
  ])("refuses %j", (argv, message) => {
    const problem = problemOf(argv);
    expect(problem.code).toBe("usage");
    expect(problem.message).toMatch(message);
  });
});

describe("the other commands", () => {
  it("read what they take", () => {
    expect(parseCommand(["inspect", "a.pdf"])).toEqual({ name: "inspect", file: "a.pdf", options: { text: false, json: false } });
    expect(parseCommand(["inspect", "--text", "a.pdf", "--json", "--password", "p", "--model", "m"])).toEqual({
      name: "inspect",
      file: "a.pdf",
      options: { text: true, json: true, password: "p", model: "m" },
    });
    expect(parseCommand(["models", "list"])).toEqual({ name: "models-list", json: false });
    expect(parseCommand(["models", "--json", "list"])).toEqual({ name: "models-list", json: true });
    expect(parseCommand(["models", "verify", "m.gguf", "--json"])).toEqual({ name: "models-verify", path: "m.gguf", json: true });
    expect(parseCommand(["about", "--json"])).toEqual({ name: "about", json: true });
  });

  it.each([[[]], [["help"]], [["--help"]], [["-h"]], [["ask", "--help"]], [["models", "--help"]]])("show the help for %j", (argv) => {
    expect(parseCommand(argv)).toEqual({ name: "help" });
  });

  it.each([
    [["answer", "a.pdf"], /“answer”/],
    [["--json"], /“--json”/],
    [["inspect"], /one FILE/],
    [["inspect", "a.pdf", "b.pdf"], /one FILE/],
    [["inspect", "a.pdf", "--question", "Why?"], /--question/],
    [["models"], /verify PATH/],
    [["models", "delete", "x"], /verify PATH/],
    [["models", "verify"], /verify PATH/],
    [["models", "verify", "a", "b"], /verify PATH/],
    [["models", "list", "a"], /verify PATH/],
    [["about", "a"], /about/],
  ])("refuse %j", (argv, message) => {
    const problem = problemOf(argv);
    expect(problem.message).toMatch(message);
    expect(exitCodeOf(problem.code)).toBe(2);
  });

  it("are all in the help, with every option of ask", () => {
    for (const word of [
      "ask",
      "heatmap",
      "compare",
      "out",
      "lookahead",
      "snapkv",
      "streamingllm",
      "random",
      "inspect",
      "models list",
      "models verify",
      "about",
      ...Object.keys(defaults),
      "pages",
      "model",
      "seed",
      "context",
      "threads",
      "password",
      "recognise",
    ]) {
      expect(usage).toMatch(new RegExp(`(^|[ -])${word}\\b`, "m"));
    }
  });
});

describe("cache", () => {
  const options = { all: false, json: false };

  it("lists, and changes what is remembered", () => {
    expect(parseCommand(["cache"])).toEqual({ name: "cache-list", options });
    expect(parseCommand(["cache", "list", "--json"])).toEqual({ name: "cache-list", options: { all: false, json: true } });
    expect(parseCommand(["cache", "--budget", "2.5GB", "--form", "q8_0"])).toEqual({
      name: "cache-list",
      options: { ...options, budget: 2_500_000_000, form: "q8_0" },
    });
    expect(parseCommand(["ask", "a", "--question", "?", "--recognise", "eng+deu"])).toMatchObject({
      options: { recognise: ["eng", "deu"] },
    });
    expect(() => parseCommand(["ask", "a", "--question", "?", "--recognise", "eng+latin"])).toThrow("takes eng, deu or eng+deu");
    expect(parseCommand(["ask", "a", "--question", "?", "--no-snapshots"])).toMatchObject({ options: { "no-snapshots": true } });
  });

  it.each([
    ["0", 0],
    ["123", 123],
    ["500MB", 500_000_000],
    ["10 gb", 10_000_000_000],
    ["1k", 1000],
    ["1TB", 1e12],
  ])("takes the size %s", (size, bytes) => {
    expect(parseCommand(["cache", "--budget", size])).toMatchObject({ options: { budget: bytes } });
  });

  it.each(["-1", "much", "", "1e3", "10XB", "99999999TB"])("does not take the size “%s”", (size) => {
    expect(problemOf(["cache", `--budget=${size}`]).message).toContain("--budget takes a size such as 500MB");
  });

  it("clears what is named, or all", () => {
    expect(parseCommand(["cache", "clear", "a.pdf", "b.pdf"])).toEqual({ name: "cache-clear", documents: ["a.pdf", "b.pdf"], json: false });
    expect(parseCommand(["cache", "clear", "--all", "--json"])).toEqual({ name: "cache-clear", documents: null, json: true });
  });

  it.each([
    ["cache", "clear"],
    ["cache", "clear", "--all", "a.pdf"],
    ["cache", "list", "a.pdf"],
    ["cache", "--all"],
    ["cache", "clear", "--all", "--budget", "1GB"],
    ["cache", "--form", "f16"],
    ["cache", "empty"],
  ])("refuses %s %s %s %s", (...argv) => {
    expect(problemOf(argv.filter((word) => word !== undefined)).code).toBe("usage");
  });
});
