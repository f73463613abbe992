import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { loadedModelSchema } from "../../electron/contract/model.ts";
import { snapshotUsageSchema } from "../../electron/contract/snapshots.ts";
import { ensureUntrainedModule } from "../../scripts/module.mjs";
import { makeDocx, paragraph } from "../unit/engine/documents/markupFiles.ts";
import { makePdf } from "../unit/engine/documents/pdfFiles.ts";
import { scanOf } from "../unit/engine/documents/scan.ts";
import { doneOf, endCommandLines, longsight, type Outcome, script } from "./support/commandLine.ts";
import { dataFolder, root, storyOf } from "./support/engine.ts";
import { ensureStranger } from "./support/stranger.ts";

const doneSchema = z.object({ module: loadedModelSchema.shape.lookahead });
const errorOf = (outcome: Outcome) =>
  z.object({ code: z.string(), message: z.string() }).parse(outcome.events.find((event) => event["event"] === "error"));

describe("the command line", () => {
  let folder: string;
  let story: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "longsight cli “Ž” 張-"));
    story = join(folder, "報告 “v2” — Ž%20#1 (final).txt");
    await writeFile(story, storyOf(400));
  });
  afterAll(async () => {
    endCommandLines();
    await rm(folder, { recursive: true, force: true });
  });

  test("answers on stdout, progress on stderr, and nothing else on stdout", async () => {
    const outcome = await longsight(["ask", story, "--question", "What is the code of the harbour light?", "--max-tokens", "24"]);
    expect(outcome.code).toBe(0);
    expect(outcome.stdout.trim()).not.toBe("");
    expect(outcome.stderr).toContain("Reading into the model · 100 %");
    expect(outcome.stdout).not.toContain("%");
  });

  test("answers about a Word document, whose sections are its pages", async () => {
    const letter = join(folder, "letter.docx");
    const section = (title: string, text: string): string => paragraph(title, "Heading1") + paragraph(text.repeat(30));
    await writeFile(
      letter,
      makeDocx(section("Light", "The code of the harbour light is 4417. ") + section("Fog", "Fog came in at noon. ")),
    );
    const outcome = await longsight(["ask", letter, "--question", "What is the code?", "--pages", "1", "--max-tokens", "16", "--json"]);
    expect(outcome.code).toBe(0);
    const document = outcome.events.find((event) => event["event"] === "document");
    expect(document).toMatchObject({
      kind: "docx",
      pages: [
        { page: 1, title: "Light" },
        { page: 2, title: "Fog" },
      ],
    });
    expect(doneOf(outcome).documents[0]?.tokens).toBeGreaterThan(250);
  });

  test("answers about a scan whose text it recognises", async () => {
    const scan = join(folder, "scan.pdf");
    const typed = await makePdf([(page) => page.drawText("The code of the harbour light is 4417.", { x: 72, y: 700, size: 14 })]);
    await writeFile(scan, await scanOf(typed, join(root, "out", "engine", "pdfWorker.cjs")));
    const args = ["ask", scan, "--question", "What is the code?", "--max-tokens", "8", "--json"];
    const silent = await longsight(args);
    expect(silent.code).toBe(3);
    expect(errorOf(silent).code).toBe("document-no-text");
    const outcome = await longsight([...args, "--recognise", "eng"]);
    expect(outcome.code).toBe(0);
    const document = outcome.events.find((event) => event["event"] === "document");
    expect(document).toMatchObject({ pages: [{ flags: ["recognised"], characters: 38 }] });
    expect(outcome.events.some((event) => event["event"] === "progress" && event["stage"] === "recognise")).toBe(true);
    expect(outcome.stdout).toContain("letters may be wrong");
  });

  test("--json: document, progress, tokens, done, one object a line; the same seed gives the same answer", async () => {
    const args = [
      "ask",
      story,
      "--question",
      "Describe the keeper.",
      "--temperature",
      "1.2",
      "--seed",
      "11",
      "--max-tokens",
      "16",
      "--json",
    ];
    const outcome = await longsight(args);
    expect(outcome.code).toBe(0);
    expect(outcome.stdout.trim().split("\n")).toHaveLength(outcome.events.length);
    expect([...new Set(outcome.events.map((event) => event["event"]))]).toEqual(["progress", "document", "token", "done"]);
    const document = outcome.events.find((event) => event["event"] === "document");
    expect(document?.["name"]).toBe("報告 “v2” — Ž%20#1 (final).txt");
    const done = doneOf(outcome);
    expect(done.promptTokens).toBe(done.cachedTokens + done.evaluatedTokens);
    expect(done.answer).toBe(outcome.events.flatMap((event) => (event["event"] === "token" ? [event["text"]] : [])).join(""));
    expect(done.timings.extractMs).toBeGreaterThan(0);
    expect(done.peakRssBytes).toBeGreaterThan(done.fullCacheBytes);
    // The context is as long as this prompt and answer need, rounded up to 256.
    expect(done.contextLength - done.promptTokens).toBeLessThan(256 + 16);
    expect(doneOf(await longsight(args)).answer).toBe(done.answer);
  });

  test.each([
    [["nonsense"], 2, "usage"],
    [["ask", "--question", "?"], 2, "usage"],
    [["ask", "STORY", "--question", "?", "--budget", "256", "--policy", "full"], 2, "usage"],
    [["ask", "STORY", "--question", "?", "--policy", "snapkv"], 2, "usage"],
    [["ask", "STORY", "--question", "?", "--budget", "2"], 2, "usage"],
    [["ask", "STORY", "--question", "?", "--budget", "-5"], 2, "usage"],
    [["ask", "STORY", "--question", "?", "--budget", "64", "--modules", "STORY"], 2, "usage"],
    [["heatmap", "STORY", "--question", "?", "--budget", "64", "--out", "STORY.png"], 2, "usage"],
    [["heatmap", "STORY", "--question", "?", "--budget", "64", "--out", "no such folder/a.html"], 2, "usage"],
    [["ask", "STORY", "--question", "?", "--mode", "once"], 2, "usage"],
    [["ask", "STORY", "--question", "?", "--mode", "streaming", "--budget", "64", "--policy", "h2o"], 2, "usage"],
    [["ask", "STORY", "--question", "?", "--mode", "once", "--budget", "64", "--policy", "expected-attention"], 2, "usage"],
    [["ask", "no such file.pdf", "--question", "?"], 3, "document-missing"],
    [["ask", "STORY", "--question", "?", "--pages", "9-12"], 3, "document-pages"],
    [["ask", "STORY", "--question", "?", "--model", "no-such-model"], 4, "model-missing"],
    [["ask", "STORY", "--question", "?", "--model", "STORY.gguf"], 4, "model-missing"],
    [["ask", "STORY", "--question", "?", "--context", "300"], 5, "does-not-fit"],
    [["models", "verify", "STORY"], 4, "model-invalid"],
  ])("%j ends with code %i and %s", async (args, code, name) => {
    const outcome = await longsight([...args.map((arg) => arg.replace("STORY", story)), "--json"]);
    expect(errorOf(outcome).code).toBe(name);
    expect(outcome.code).toBe(code);
    expect(errorOf(outcome).message.length).toBeGreaterThan(20);
  });

  test("what is wrong with the files and pages is told before the model is loaded", async () => {
    const asking = ["--question", "?", "--max-tokens", "4"];
    for (const args of [
      ["ask", "no such file.pdf", ...asking],
      ["ask", story, "--pages", "9-12", ...asking],
      ["heatmap", story, "--question", "?", "--budget", "64", "--out", join(folder, "texts.png")],
      ["inspect", "no such file.pdf"],
    ]) {
      const outcome = await longsight(args);
      expect(outcome.code, args.join(" ")).not.toBe(0);
      expect(outcome.stderr).not.toContain("Loading the model");
    }
    const model = await longsight(["ask", "no such file.pdf", ...asking, "--model", "no-such-model"]);
    expect(model.code).toBe(4);
  });

  test("a budget keeps a part, by the module that comes with the model, and says so", async () => {
    const asking = ["ask", story, "--question", "What is the code of the harbour light?", "--max-tokens", "32", "--budget", "96"];
    const outcome = await longsight(asking);
    expect(outcome.code).toBe(0);
    expect(outcome.stderr).toMatch(/^Scoring importance · 100 %$/m);
    expect(outcome.stderr).toMatch(
      /^read [\d,]+ tokens · kept 96 per head · cache \d+ MB → [\d.]+ MB · lookahead · prefill .* · scoring .* · eviction .* · decode .* tokens\/s$/m,
    );
    expect(outcome.stderr).not.toMatch(/^!/m);

    const json = await longsight([...asking, "--json"]);
    const figures = doneOf(json);
    expect(figures).toMatchObject({ policy: "lookahead", budget: 96, keptTokens: 96 });
    const { module } = doneSchema.parse(json.events.find((event) => event["event"] === "done"));
    expect(module?.name).toMatch(/SmolLM2.135M.Instruct/);
    expect(module?.steps).toBeGreaterThan(0);
    expect(json.events.filter((event) => event["event"] === "notice")).toEqual([]);
    expect(figures.keptCacheBytes).toBeGreaterThanOrEqual((96 + 32) * 23_040);
    expect(figures.keptCacheBytes).toBeLessThan(figures.fullCacheBytes / 2);
    expect(figures.fullCacheBytes).toBeGreaterThan(figures.promptTokens * 23_040);
    expect(figures.timings.scoringMs).toBeGreaterThan(0);

    const whole = await longsight(["ask", story, "--question", "?", "--budget", "5000", "--max-tokens", "4"]);
    expect(whole.code).toBe(0);
    expect(whole.stderr).toMatch(/^! Nothing was evicted/m);
    expect(whole.stderr).toMatch(/^read [\d,]+ tokens · cache \d+ MB · prefill/m);
  });

  test("compare gives both answers, with the bytes and times of each", async () => {
    const asking = ["--question", "What is the code of the harbour light?", "--max-tokens", "8", "--budget", "96"];
    const outcome = await longsight(["compare", story, ...asking, "--no-snapshots"]);
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toMatch(/^Full cache:\n.+\n\nBudget 96, lookahead:\n.+\n$/s);
    expect(outcome.stderr).toMatch(/^read and scored once in [\d.]+ m?s$/m);
    expect(outcome.stderr).toMatch(/^full: read [\d,]+ tokens · cache \d+ MB · .*decode .*tokens\/s$/m);
    expect(outcome.stderr).toMatch(/^kept: read [\d,]+ tokens · kept 96 per head · cache \d+ MB → [\d.]+ MB · lookahead · .*tokens\/s$/m);
    const [, full] = /^Full cache:\n(.*)\n\nBudget/s.exec(outcome.stdout) ?? [];
    const whole = await longsight(["ask", story, ...asking.slice(0, 4)]);
    expect(whole.stdout.trim()).toBe(full?.trim());
  });

  test("a budget for a model without a module is snapkv's, and one of a module that has learned nothing is warned of", async () => {
    const stranger = await ensureStranger();
    const asking = ["ask", story, "--question", "What is the code?", "--max-tokens", "8", "--budget", "96", "--model", stranger];
    const without = await longsight([...asking, "--json"]);
    expect(without.code).toBe(0);
    expect(doneOf(without)).toMatchObject({ policy: "snapkv", keptTokens: 96 });
    expect(without.events.find((event) => event["event"] === "done")).toMatchObject({ module: null });
    expect(without.events.filter((event) => event["event"] === "notice")).toMatchObject([
      { message: expect.stringContaining("no lookahead module") },
    ]);

    const modules = join(folder, "modules");
    await mkdir(modules, { recursive: true });
    const module = await ensureUntrainedModule(stranger);
    await symlink(module, join(modules, basename(module)));
    const untrained = await longsight([...asking, "--modules", modules]);
    expect(untrained.code).toBe(0);
    expect(untrained.stderr).toMatch(/ · kept 96 per head · .* · lookahead · /);
    // That is all there is to say.
    expect(untrained.stderr.match(/^!.*$/gm)).toEqual([expect.stringMatching(/has not learned anything.*expect poor choices/)]);
  });

  test("a heatmap becomes a file: tokens as JSON, the text as a page, a PDF's pages as a picture", async () => {
    const out = (name: string) => join(folder, name);
    const drawing = (file: string, name: string) => [
      "heatmap",
      file,
      "--question",
      "How long does the warranty last?",
      "--budget",
      "64",
      "--out",
      out(name),
    ];
    const json = await longsight([...drawing(story, "a.json"), "--json"]);
    expect(json.code).toBe(0);
    const done = json.events.find((event) => event["event"] === "done");
    expect(done).toMatchObject({
      out: expect.stringContaining("a.json"),
      format: "json",
      policy: "lookahead",
      module: { steps: expect.any(Number) },
      keptTokens: 64,
      layers: 30,
      heads: 3,
    });
    // Nothing by token: that is what the file is for.
    expect(Object.keys(done ?? {})).not.toEqual(expect.arrayContaining(["protectedTokens"]));
    const file = z
      .object({
        promptTokens: z.number(),
        tokens: z.array(z.object({ text: z.string(), kept: z.number(), kind: z.string(), always: z.boolean() })),
      })
      .parse(JSON.parse(await readFile(out("a.json"), "utf8")));
    expect(file.tokens).toHaveLength(file.promptTokens);
    expect(file.tokens.reduce((sum, token) => sum + token.kept, 0)).toBe(64 * 90);
    // The first four tokens, and the template's tail behind the question.
    const always = file.tokens.flatMap((token, index) => (token.always ? [index] : []));
    const tail = always.length - 4;
    expect(tail).toBeGreaterThan(0);
    expect(tail).toBeLessThan(16);
    expect(always).toEqual([0, 1, 2, 3, ...Array.from({ length: tail }, (_, index) => file.promptTokens - tail + index)]);
    expect(always.every((index) => file.tokens[index]?.kept === 90)).toBe(true);
    const pageText = file.tokens.flatMap((token) => (token.kind === "page" ? [token.text] : [])).join("");
    expect(pageText.trim()).toBe(storyOf(400));

    const html = await longsight(drawing(story, "a.html"));
    expect(html.stdout).toMatch(/a\.html \(\d+ kB\)\n$/);
    expect(html.stderr).toMatch(/^read [\d,]+ tokens · would keep 64 per head · prefill .* · scoring/m);
    expect(html.stderr).not.toMatch(/^!/m);
    const page = await readFile(out("a.html"), "utf8");
    expect(page).toContain("<!doctype html>");
    expect(page).toMatch(/Policy lookahead, with the module “[^”]*SmolLM2[^”]*” \([\d,]+ steps of training\)/);

    // A model without a module: the window of snapkv is kept as well.
    const stranger = ["--model", await ensureStranger()];
    const png = await longsight([...drawing(join(root, "assets", "samples", "longsight-sample.pdf"), "a.png"), ...stranger]);
    expect(png.code).toBe(0);
    const picture = await readFile(out("a.png"));
    expect(picture.toString("latin1", 1, 4)).toBe("PNG");
    // Four pages of A4 with their captions in two columns, below what the shades mean.
    expect(picture.readUInt32BE(16)).toBe(2 * 893 + 12);
    expect(picture.readUInt32BE(20)).toBeGreaterThan(2 * (1263 + 39) + 60);
    expect(png.stderr).toMatch(/^Shade: by rank/m);
    expect(png.stderr.match(/^!.*$/gm)).toEqual([expect.stringContaining("no lookahead module")]);
    expect((await readdir(folder)).filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  test("a picture of twelve pages is drawn without a warning, and a large budget is not said to have chosen", async () => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    for (let page = 1; page <= 12; page++) document.addPage().drawText(`The lamp of pier ${page} is green.`, { x: 50, y: 700, font });
    const file = join(folder, "twelve.pdf");
    await writeFile(file, await document.save());
    const outcome = await longsight(["heatmap", file, "--question", "Why?", "--budget", "4000", "--out", join(folder, "twelve.png")]);
    expect(outcome.code).toBe(0);
    expect(outcome.stderr).not.toMatch(/warning/i);
    const notices = outcome.stderr.match(/^!.*$/gm);
    expect(notices).toEqual([expect.stringContaining("Nothing would be evicted")]);
    expect(outcome.stderr).toMatch(/ · would keep all · .* · scoring .* · selection/);
  });

  test("a context is rounded up and says so, and a document that does not fit it is not helped by a budget", async () => {
    const outcome = await longsight(["ask", story, "--question", "?", "--budget", "64", "--context", "300"]);
    expect(outcome.code).toBe(5);
    expect(outcome.stderr).toMatch(/^! The context holds 512 tokens: 300 is rounded up/m);
    expect(outcome.stderr).toContain("a budget does not help");
    const whole = await longsight(["ask", story, "--question", "?", "--context", "256"]);
    expect(whole.code).toBe(5);
    expect(whole.stderr).not.toMatch(/rounded|budget/);
  });

  test.each([["prefill"], ["token"]])("interrupted at %s it ends with 130 within a second or so", async (moment) => {
    let interruptedAt = 0;
    const outcome = await longsight(
      ["ask", story, "--question", "Tell me all about the light.", "--max-tokens", "4000", "--context", "8192", "--json"],
      (line, child) => {
        if (interruptedAt > 0 || !(line.includes(`"stage":"${moment}"`) || line.includes(`"event":"${moment}"`))) return;
        interruptedAt = performance.now();
        child.kill("SIGINT");
      },
    );
    expect(outcome.code).toBe(130);
    expect(performance.now() - interruptedAt).toBeLessThan(2000);
  });

  test.runIf(existsSync("/dev/full"))("output that cannot be written is a failure, progress that cannot is none", async () => {
    const run = (redirect: string) =>
      new Promise<number | null>((resolve) => {
        const command = `"$0" "$1" ask "$2" --question "What is the code?" --max-tokens 4 --no-snapshots ${redirect}`;
        spawn("sh", ["-c", command, process.execPath, script, story], { stdio: "ignore" }).on("close", resolve);
      });
    expect(await run(">/dev/full")).toBe(6);
    expect(await run("2>/dev/full")).toBe(0);
  });

  test("what is kept on disk is listed, cleared, and given its room", async () => {
    const kept = join(folder, "kept");
    const cache = (...args: string[]) => longsight(["cache", ...args], undefined, kept);
    const usageOf = (outcome: Outcome) => snapshotUsageSchema.parse(outcome.events.find((event) => event["event"] === "cache"));
    expect(usageOf(await cache("--json"))).toMatchObject({ folder: kept, totalBytes: 0, documents: [] });
    expect((await cache("--budget", "500MB", "--form", "q8_0")).stdout).toBe(`0 kB of 500 MB used in ${kept}, stored as q8_0\n`);
    expect(usageOf(await cache("list", "--json")).settings).toEqual({ budgetBytes: 500_000_000, form: "q8_0" });
    expect((await cache("clear", story)).code).toBe(2);
    expect((await cache("clear", "--all")).stdout).toContain("0 kB freed.");
  });

  test("inspect, models and about say what is there", async () => {
    const inspected = await longsight(["inspect", story, "--text", "--json"]);
    expect(inspected.code).toBe(0);
    expect(inspected.events[0]).toMatchObject({ event: "progress" });
    expect(inspected.events.find((event) => event["event"] === "document")).toMatchObject({ kind: "text", locked: false });
    expect(inspected.events.find((event) => event["event"] === "text")?.["text"]).toContain("481516");
    const word = join(folder, "word.txt");
    await writeFile(word, "a");
    expect((await longsight(["inspect", word])).stdout).toMatch(
      /^word\.txt: text, 1 page, 1 character, \d tokens?\npage 1: 1 character\n$/,
    );
    const models = await longsight(["models", "list", "--json"]);
    expect(models.events[0]).toMatchObject({
      id: "smollm2-135m-instruct",
      architecture: "llama",
      trainedContextLength: 8192,
      layers: 30,
      kvHeads: 3,
      kvBytesPerToken: { f16: 23_040 },
    });
    const about = await longsight(["about", "--json"]);
    expect(about.events[0]?.["build"]).toMatch(/^longsight-/);
  });

  // English, Chinese and right-to-left, from the corpus: real text in, a complete and plausible account out.
  describe.skipIf(!existsSync(dataFolder))("real documents", () => {
    test.each([
      ["debian-policy__fhs-3.0.pdf", "21", "Where must, generally, all data required to support a package be present?"],
      ["debmake-doc__debmake-doc.zh-cn.pdf", "21", "Which command signs the Debian package with a private GPG key?"],
      ["texlive-lang-arabic__lshort.pdf", "12-13", "Which program is this text about?"],
    ])("%s", async (file, pages, question) => {
      const outcome = await longsight([
        "ask",
        join(dataFolder, "A_pdf", "long", file),
        "--pages",
        pages,
        "--question",
        question,
        "--max-tokens",
        "24",
        "--json",
      ]);
      expect(outcome.code).toBe(0);
      const done = doneOf(outcome);
      expect(done.answer.trim()).not.toBe("");
      expect(done.documentTokens).toBeGreaterThan(100);
      expect(done.timings.prefillMs).toBeGreaterThan(0);
      expect(done.prefillTokensPerSecond).toBeGreaterThan(5);
      expect(done.timings.firstTokenMs).toBeGreaterThanOrEqual(done.timings.prefillMs);
      expect(done.fullCacheBytes).toBe(done.contextLength * 23_040);
    });
  });
});
