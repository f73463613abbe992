import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLine, commit, describeResults, resultsFileName } from "../../../bench/figures.mjs";

const machine = { cpu: "AMD EPYC", cores: 2, memoryBytes: 25_276_502_016, system: "linux x64 6.18.44", node: "20.20.2" };
const described = { bench: "load", date: "2026-11-30T11:07:24.268Z", machine };

describe("a file of raw figures", () => {
  it("is named by bench, day and machine", () => {
    expect(resultsFileName(described)).toBe("load-2026-11-30-amd-epyc-2-cores-24-gib-linux-x64.json");
  });

  it("of another machine is another file", () => {
    const others = [
      { ...machine, cpu: "Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz" },
      { ...machine, cores: 16 },
      { ...machine, memoryBytes: 2 ** 37 },
      { ...machine, system: "win32 x64 10.0.22631" },
      { ...machine, system: "linux arm64 6.18.44" },
    ];
    const names = [machine, ...others].map((one) => resultsFileName({ ...described, machine: one }));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9.-]+\.json$/);
  });

  it("of the same machine with another kernel or Node is the same", () => {
    const updated = { ...machine, system: "linux x64 7.0.1", memoryBytes: machine.memoryBytes - 4096, node: "22.1.0" };
    expect(resultsFileName({ ...described, machine: updated })).toBe(resultsFileName(described));
  });
});

describe("the command of raw figures", () => {
  it("is what was typed, with files by their names", () => {
    expect(commandLine(["/usr/bin/node", "/home/somebody/bench/load.mjs", "--runs", "3"])).toBe("npm run bench -- load --runs 3");
    expect(commandLine(["node", "bench/eviction.mjs", "--file", "/home/somebody/model.gguf", "--model", "C:\\models\\own.gguf"])).toBe(
      "npm run bench -- eviction --file model.gguf --model own.gguf",
    );
    expect(commandLine(["node", "bench/start.mjs"])).toBe("npm run bench -- start");
  });

  it("gives way to a bench's own", () => {
    expect(describeResults("load", { command: "npm run bench -- load --runs 5", runs: 5 })).toMatchObject({
      bench: "load",
      command: "npm run bench -- load --runs 5",
      runs: 5,
    });
  });
});

describe("the commit of raw figures", () => {
  it("is not changed by figures and texts, which nothing computes with, but by all else", async () => {
    const folder = await mkdtemp(join(tmpdir(), "longsight-commit-"));
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder });
    try {
      git("init", "--quiet");
      await mkdir(join(folder, "docs", "results"), { recursive: true });
      await writeFile(join(folder, "README.md"), "before");
      git("add", ".");
      git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "first");
      await writeFile(join(folder, "docs", "results", "speed.json"), "{}");
      await writeFile(join(folder, "README.md"), "after");
      expect(commit(folder)).toMatch(/^[0-9a-f]{7,}$/);
      await writeFile(join(folder, "engine.ts"), "");
      expect(commit(folder)).toMatch(/^[0-9a-f]{7,} changed$/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
