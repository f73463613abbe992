import type { Origin, Plot } from "./model.ts";

/** The folder below docs/results that holds the report's plots and nothing else. */
export const plotFolder = "plots";

/** A plot's file below docs/results: named by its raw file, which no other has. */
export function plotFile({ file }: Pick<Origin, "file">, { name }: Pick<Plot, "name">): string {
  const words = file.replace(/\.json$/, "").match(/[A-Za-z0-9.]+/g) ?? [];
  return `${plotFolder}/${words.join("-")}-${name}.svg`;
}
