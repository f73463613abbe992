import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../../scripts/files.mjs";
import { assembleReport } from "./assemble.ts";
import { headlineMarkdown, withHeadlines } from "./headlines.ts";
import { kinds } from "./kinds/index.ts";
import { reportMarkdown } from "./markdown.ts";
import type { Report } from "./model.ts";
import { plotFiles, reportHtml } from "./pages.tsx";
import { plotFolder } from "./plotFiles.ts";
import { readContext, readRawFiles } from "./readFiles.ts";

/**
 * Writes the report: docs/results/REPORT.md with its plots, the README's table, and out/report.html.
 * @param root of the checkout
 * @throws Error for a README without the table's marks
 */
export async function main(root: string): Promise<Report> {
  const report = assembleReport(await readRawFiles(root), kinds, await readContext(root));
  const results = join(root, "docs", "results");
  const readme = withHeadlines(await readFile(join(root, "README.md"), "utf8"), headlineMarkdown(report));
  const plots = plotFiles(report);
  for (const [file, svg] of plots) await writeWhole(join(results, file), svg);
  for (const name of await readdir(join(results, plotFolder)).catch(() => [])) {
    if (!plots.has(`${plotFolder}/${name}`)) await rm(join(results, plotFolder, name));
  }
  await writeWhole(join(results, "REPORT.md"), reportMarkdown(report));
  await writeWhole(join(root, "README.md"), readme);
  await writeWhole(join(root, "out", "report.html"), reportHtml(report));
  return report;
}
