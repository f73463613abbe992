import { describe, expect, it } from "vitest";
import { headlineMarkdown } from "../../../../bench/report/headlines.ts";
import { loadFile, machine, needlesFile, otherMachine, reportOf, shippedHash, trialHash } from "./files.ts";

const shipped = { name: "own", sha256: shippedHash };
const trial = { name: "trial", sha256: trialHash };

describe("a raw file", () => {
  it("that is damaged or unknown is listed with the reason, and the rest goes on", () => {
    const { medians: _, ...withoutMedians } = loadFile(2);
    const report = reportOf({
      "cut.json": '{"bench": "load", "da',
      "future.json": { bench: "loader-9" },
      "half.json": withoutMedians,
      "nameless.json": [1, 2],
      "ok.json": loadFile(2),
    });
    expect(report.leftOut).toEqual([
      { file: "cut.json", reason: "It is damaged: not JSON." },
      { file: "future.json", reason: "The report does not know the bench “loader-9”." },
      { file: "half.json", reason: expect.stringMatching(/^It is damaged, or written by another version of “load”: medians: ./) },
      { file: "nameless.json", reason: "It does not say which bench wrote it." },
    ]);
    expect(report.sections.map(({ kind }) => kind)).toEqual(["load"]);
  });

  it("says its command, day, machine, commit and name", () => {
    const [run] = reportOf({ "ok.json": loadFile(2) }).sections.flatMap(({ groups }) => groups.flatMap(({ runs }) => runs));
    expect(run?.origin).toEqual({
      file: "ok.json",
      command: "npm run bench -- load --runs 5",
      date: "2026-11-29T16:40:38.343Z",
      commit: "3105959",
      machine: "AMD EPYC, 2 cores, 24 GiB, linux x64",
      series: "load",
    });
  });

  it("that notes its command is taken at its word", () => {
    const report = reportOf({ "ok.json": { ...loadFile(2), command: "npm run bench -- load --runs 7" } });
    expect(report.headlines.map(({ origin }) => origin.command)).toEqual(["npm run bench -- load --runs 7"]);
  });
});

describe("runs of the same", () => {
  const filesOf = (report: ReturnType<typeof reportOf>) =>
    report.sections.flatMap(({ groups }) =>
      groups.map(({ runs, others }) => ({ shown: runs.map(({ origin }) => origin.file), others: others.map(({ file }) => file) })),
    );

  it("on one machine: the newest is shown, where the others are is said", () => {
    const newer = { ...loadFile(3), date: "2026-11-30T00:00:00.000Z", machine: { ...machine, system: "linux x64 7.0.0" } };
    const report = reportOf({ "1.json": newer, "2.json": loadFile(5) });
    expect(filesOf(report)).toEqual([{ shown: ["1.json"], others: ["2.json"] }]);
    // The older one's aim is no longer missed.
    expect(report.missed).toEqual([]);
  });

  it("on two machines stand beside each other", () => {
    const report = reportOf({ "1.json": { ...loadFile(3), machine: otherMachine }, "2.json": loadFile(5) });
    expect(filesOf(report)).toEqual([{ shown: ["2.json", "1.json"], others: [] }]);
    expect(report.missed.map(({ origin }) => origin.machine)).toEqual(["AMD EPYC, 2 cores, 24 GiB, linux x64"]);
    expect(headlineMarkdown(report)).toMatch(/AMD EPYC, 2 cores.*\n.*Intel Core i7, 8 cores/);
  });

  it("of trial modules alone do not hide those of the module that comes with the app", () => {
    const later = { ...needlesFile(trial, [20, 20]), date: "2026-12-01T00:00:00.000Z" };
    const report = reportOf({ "own.json": needlesFile(shipped, [16, 20]), "trial.json": later });
    expect(filesOf(report)).toEqual([{ shown: ["own.json"], others: ["trial.json"] }]);
    expect(filesOf(reportOf({ "trial.json": later }))).toEqual([{ shown: ["trial.json"], others: [] }]);
  });
});

describe("aims", () => {
  it("that are missed are told with what was found and where", () => {
    const { missed } = reportOf({ "load.json": loadFile(4.5) });
    expect(missed).toEqual([
      {
        subject: "2 busy loops",
        verdict: {
          aim: { issue: 3, text: "Decoding beside two busy loops at most 4 times slower than alone" },
          found: "4.50 times",
          isMet: false,
        },
        origin: expect.objectContaining({ file: "load.json" }),
      },
    ]);
    expect(reportOf({ "load.json": loadFile(4) }).missed).toEqual([]);
  });

  it("that no raw file says anything of are listed apart", () => {
    const titles = (report: ReturnType<typeof reportOf>) => report.unmeasured.map(({ title }) => title);
    expect(titles(reportOf({}))).toContain("Beside other work");
    expect(titles(reportOf({ "load.json": loadFile(9) }))).not.toContain("Beside other work");
    // One loop is not what was asked for.
    expect(titles(reportOf({ "load.json": { ...loadFile(9), busyLoops: 1 } }))).toContain("Beside other work");
  });

  it("are judged for the module that comes with the app alone", () => {
    const found = (report: ReturnType<typeof reportOf>) => report.missed.map(({ verdict }) => verdict.found);
    expect(found(reportOf({ "needles.json": needlesFile(shipped, [16, 20]) }))).toEqual(["16 of 20 at 64, 20 of 20 at 128"]);
    expect(found(reportOf({ "needles.json": needlesFile(shipped, [17, 19]) }))).toEqual([]);
    const trials = reportOf({ "needles.json": needlesFile(trial, [0, 0]) });
    expect(found(trials)).toEqual([]);
    expect(trials.headlines).toEqual([]);
    expect(trials.unmeasured.flatMap(({ aims }) => aims.map(({ text }) => text))).toContain(
      "SmolLM2, single, 2,000 tokens: at least 85 % at 64, 95 % at 128",
    );
  });
});
