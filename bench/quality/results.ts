import { basename, resolve } from "node:path";
import { writeWhole } from "../../scripts/files.mjs";
import type { CommonOptions } from "./options.ts";
import type { Tools } from "./tools.ts";

/**
 * The command that gives these results, with files by their names: where they lie is nobody else's business.
 * @param options by name, as text
 */
export function commandOf(bench: string, common: CommonOptions, own: Readonly<Record<string, string | number>>): string {
  const { model, modules, budgets, threads } = common;
  const all: Readonly<Record<string, string | number>> = {
    ...own,
    budgets: budgets.join(","),
    modules: modules.map((module) => basename(module)).join(","),
    model: basename(model),
    ...(threads === null ? {} : { threads }),
  };
  return `npm run bench -- ${bench} ${Object.entries(all)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `--${name} ${value}`)
    .join(" ")}`;
}

/** Writes raw figures to where the options say. @returns the file */
export async function saveResults(tools: Tools, { out }: Pick<CommonOptions, "out">, name: string, results: object): Promise<string> {
  if (out === null) return tools.writeResults(name, results);
  const file = resolve(tools.callerFolder, out);
  await writeWhole(file, `${JSON.stringify(tools.describeResults(name, results), null, 2)}\n`);
  return file;
}
