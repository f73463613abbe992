// What benches share: the machine they ran on, medians, and the file that their figures go to.
import { execFileSync } from "node:child_process";
import { cpus, release, totalmem } from "node:os";
import { basename, join } from "node:path";
import { root, writeWhole } from "../scripts/files.mjs";

/** The machine, in figures that say how fast it is and nothing about whose it is. */
export function machine() {
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryBytes: totalmem(),
    system: `${process.platform} ${process.arch} ${release()}`,
    node: process.versions.node,
  };
}

/** What another bench, or the report, has just written, and other texts: nothing computes with them. */
const texts = [":(exclude)docs", ":(exclude)*.md"];

/** The commit that was measured; "changed" where the working tree differs from it in more than texts. */
export function commit(folder = root) {
  const git = (...args) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
  try {
    return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain", "--", ".", ...texts) === "" ? "" : " changed"}`;
  } catch {
    return "unknown";
  }
}

/** The middle value, or the mean of the two in the middle. @param {number[]} values at least one */
export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Medians of each numeric field over repeated runs.
 * @param {Record<string, number>[]} runs all with the same fields
 */
export function medians(runs) {
  return Object.fromEntries(Object.keys(runs[0] ?? {}).map((key) => [key, Math.round(median(runs.map((run) => run[key])) * 10) / 10]));
}

/**
 * How a bench was started, with files by their names: where they lie is nobody else's business.
 * @param {string[]} argv as `process.argv`: Node, the bench's file, what was typed
 */
export function commandLine([, script = "", ...args]) {
  const named = args.map((arg) => (/[/\\]/.test(arg) ? basename(arg.replaceAll("\\", "/")) : arg));
  return ["npm run bench --", basename(script, ".mjs"), ...named].join(" ");
}

/** A bench's raw figures, with what they were measured on. The command is the typed one where a bench does not give a fuller one. */
export function describeResults(name, results) {
  return {
    bench: name,
    date: new Date().toISOString(),
    commit: commit(),
    machine: machine(),
    command: commandLine(process.argv),
    ...results,
  };
}

/**
 * The file of raw figures. It names the machine, so that figures of two machines can stand beside each other; another run on the same day
 * and machine takes the place of the one before.
 * @param {{ bench: string, date: string, machine: { cpu: string, cores: number, memoryBytes: number, system: string } }} described
 */
export function resultsFileName({ bench, date, machine: { cpu, cores, memoryBytes, system } }) {
  const gibibytes = Math.round(memoryBytes / 2 ** 30);
  const [platform = "", architecture = ""] = system.split(" ");
  const place = `${cpu} ${cores} cores ${gibibytes} gib ${platform} ${architecture}`;
  const words = place.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${bench}-${date.slice(0, 10)}-${words.join("-")}.json`;
}

/** Writes a bench's raw figures to docs/results. @returns {Promise<string>} the file */
export async function writeResults(name, results) {
  const described = describeResults(name, results);
  const file = join(root, "docs", "results", resultsFileName(described));
  await writeWhole(file, `${JSON.stringify(described, null, 2)}\n`);
  return file;
}
