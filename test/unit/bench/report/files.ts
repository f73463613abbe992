import { assembleReport, type RawFile } from "../../../../bench/report/assemble.ts";
import { kinds } from "../../../../bench/report/kinds/index.ts";
import type { Report } from "../../../../bench/report/model.ts";

/** SHA-256 of the one module that comes with the app, in these tests. */
export const shippedHash = "a".repeat(64);
export const trialHash = "b".repeat(64);

export const machine = { cpu: "AMD EPYC", cores: 2, memoryBytes: 25_276_502_016, system: "linux x64 6.18.44", node: "20.20.2" };
export const otherMachine = { ...machine, cpu: "Intel Core i7", cores: 8 };

const speeds = (decodeTokensPerSecond: number) => ({ prefillTokensPerSecond: 600, decodeTokensPerSecond });

/** A file of the bench `load`, whose decoding is so many times slower beside other work. */
export const loadFile = (slower: number) => ({
  bench: "load",
  date: "2026-11-29T16:40:38.343Z",
  commit: "3105959",
  machine,
  busyLoops: 2,
  runs: 5,
  medians: { alone: speeds(60), busy: speeds(60 / slower), busyLibraryDefault: speeds(20) },
});

/** A file of the bench `needles` of 20 items, of one module and SnapKV. */
export function needlesFile(module: { readonly name: string; readonly sha256: string }, found: readonly [at64: number, at128: number]) {
  const cells = (policy: string, counts: readonly number[]) =>
    counts.map((count, index) => ({ policy, budget: [64, 128][index], found: count, share: count / 20 }));
  return {
    bench: "needles-smollm2-135m-instruct-single-2000",
    date: "2026-11-30T02:00:44.839Z",
    commit: "72c9034",
    machine,
    command: "npm run bench -- needles",
    variant: "single",
    tokens: 2000,
    count: 20,
    budgets: [64, 128],
    model: { id: "smollm2-135m-instruct" },
    modules: [{ ...module, training: { steps: 640 } }],
    summary: { answered: 20, found: [...cells(module.name, found), ...cells("snapkv", [0, 1])] },
  };
}

/** A report of contents, by the names of their files. */
export function reportOf(contents: Readonly<Record<string, unknown>>): Report {
  const files: RawFile[] = Object.entries(contents).map(([file, content]) => ({
    file,
    text: typeof content === "string" ? content : JSON.stringify(content),
  }));
  return assembleReport(files, kinds, { shipped: new Set([shippedHash]) });
}
