import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { writeWhole } from "../../scripts/files.mjs";
import { UsageError } from "../quality/options.ts";
import type { Tools } from "../quality/tools.ts";
import { type Check, countChecks, linesOf } from "./check.ts";
import { judgeNative, judgeSelection, notesOn, storedSchema, withCounts } from "./counts.ts";
import { judgeQuality } from "./expectations.ts";
import { countNative, whyNotCounted } from "./native.ts";
import { type GuardOptions, parseGuardOptions } from "./options.ts";
import { measureQuality } from "./quality.ts";
import { countSelection } from "./selection.ts";

/** The bench `guard`. @returns the exit code: 1 where a check failed. @throws UsageError, LongsightError, ChildError */
export async function main(args: string[], tools: Tools): Promise<number> {
  const options = parseGuardOptions(args);
  const checks: Check[] = [];
  if (options.kinds.includes("counts")) checks.push(...shown(await checkCounts(options, tools)));
  if (options.kinds.includes("quality")) checks.push(...shown(judgeQuality(await measureQuality(tools))));
  const counts = countChecks(checks);
  if (options.report !== null) await writeWhole(resolve(tools.callerFolder, options.report), `${JSON.stringify(counts)}\n`);
  return counts.failed > 0 ? 1 : 0;
}

function shown(checks: readonly Check[]): readonly Check[] {
  console.log(linesOf(checks));
  return checks;
}

async function checkCounts({ isStored }: GuardOptions, { scripts }: Tools): Promise<readonly Check[]> {
  const reason = await whyNotCounted();
  if (reason !== null && isStored) throw new UsageError(`Nothing can be stored: ${reason}.`);
  if (reason !== null) return [{ state: "skipped", text: `Instructions were NOT COUNTED: ${reason}.` }];
  const file = join(scripts.bench, "guard", "counts.json");
  // Side by side: what is counted does not depend on what else runs.
  const [native, selection] = await Promise.all([countNative(scripts), countSelection(scripts)]);
  const stored = storedSchema.parse(JSON.parse(await readFile(file, "utf8")));
  const now = isStored ? withCounts(stored, native, selection) : stored;
  for (const note of notesOn(now, native, selection)) console.log(note);
  const checks = [...judgeNative(now, native), ...judgeSelection(now, selection)];
  // Nothing is stored that lacks a part.
  if (isStored && checks.every(({ state }) => state === "passed")) {
    await writeWhole(file, `${JSON.stringify(now, null, 2)}\n`);
    console.log("Stored in bench/guard/counts.json. It belongs into the change that it comes from, with the reason.");
  }
  return checks;
}
