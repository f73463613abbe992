import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { assembleReport } from "../../../../bench/report/assemble.ts";
import { headlineMarkdown, withHeadlines } from "../../../../bench/report/headlines.ts";
import { kinds } from "../../../../bench/report/kinds/index.ts";
import { reportMarkdown } from "../../../../bench/report/markdown.ts";
import { plotFiles } from "../../../../bench/report/pages.tsx";
import { plotFolder } from "../../../../bench/report/plotFiles.ts";
import { readContext, readRawFiles } from "../../../../bench/report/readFiles.ts";

// No figure is written by hand: README, report and plots are what the raw files give. Where this fails, `npm run bench -- report` mends it.
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const results = join(root, "docs", "results");
const report = assembleReport(await readRawFiles(root), kinds, await readContext(root));
const advice = "run npm run bench -- report";

it("understands every raw file", () => {
  expect(report.leftOut).toEqual([]);
});

it("is what docs/results/REPORT.md has", async () => {
  expect(await readFile(join(results, "REPORT.md"), "utf8"), advice).toBe(reportMarkdown(report));
});

it("has the plots that lie beside it, and no others", async () => {
  const plots = plotFiles(report);
  const files = (await readdir(join(results, plotFolder))).map((name) => `${plotFolder}/${name}`);
  expect(files.sort(), advice).toEqual([...plots.keys()].sort());
  for (const [file, svg] of plots) expect(await readFile(join(results, file), "utf8"), `${file}: ${advice}`).toBe(svg);
});

it("has the README's table", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  expect(withHeadlines(readme, headlineMarkdown(report)), advice).toBe(readme);
});

it("would not agree with a figure that was changed by hand", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const [{ headline } = { headline: { figure: "" } }] = report.headlines;
  const changed = readme.replace(headline.figure, headline.figure.replace(/\d+/, "99"));
  expect(changed).not.toBe(readme);
  expect(withHeadlines(changed, headlineMarkdown(report))).toBe(readme);
});
