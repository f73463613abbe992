// What benches share: the machine they ran on, medians, and the file that their figures go to.
import { execFileSync } from "node:child_process";
import { cpus, release, totalmem } from "node:os";
import { join } from "node:path";
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

/** The commit that was measured; "changed" where the working tree differs from it. */
export function commit() {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  try {
    return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain") === "" ? "" : " changed"}`;
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

/** A bench's raw figures, with what they were measured on. */
export function describeResults(name, results) {
  return { bench: name, date: new Date().toISOString(), commit: commit(), machine: machine(), ...results };
}

/** Writes a bench's raw figures to docs/results/NAME-DATE.json. @returns {Promise<string>} the file */
export async function writeResults(name, results) {
  const described = describeResults(name, results);
  const file = join(root, "docs", "results", `${name}-${described.date.slice(0, 10)}.json`);
  await writeWhole(file, `${JSON.stringify(described, null, 2)}\n`);
  return file;
}
