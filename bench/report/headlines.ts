import { day } from "./format.ts";
import { code, plain, rowsMarkdown } from "./markdown.ts";
import type { Report } from "./model.ts";

/** Around the part of the README that the report writes. */
const marks = {
  begin: "<!-- Written by npm run bench -- report: begin -->",
  end: "<!-- Written by npm run bench -- report: end -->",
};

/** The README's table. */
export function headlineMarkdown({ headlines, missed }: Report): string {
  const rows = headlines.map(({ headline: { what, figure }, origin: { command, date, machine, file } }) => [
    plain(what),
    plain(figure),
    code(command),
    day(date),
    plain(machine),
    `[raw](docs/results/${encodeURI(file)})`,
  ]);
  const table = rowsMarkdown(
    ["what", "figure", "command", "date", "machine", "raw file"],
    [false, false, false, false, false, false],
    rows,
  );
  const aims = missed.length === 1 ? "One aim is missed" : `${missed.length} aims are missed`;
  return `${table}\n\n${missed.length === 0 ? "No aim that was measured is missed" : aims}: [the report](docs/results/REPORT.md) begins with them.`;
}

/**
 * @returns the page with what stands between the marks replaced
 * @throws Error where a mark is missing, or there is more than one
 */
export function withHeadlines(readme: string, headlines: string): string {
  const [before, rest, ...more] = readme.split(marks.begin);
  const [, after, ...evenMore] = rest?.split(marks.end) ?? [];
  if (before === undefined || after === undefined || more.length + evenMore.length > 0) {
    throw new Error(`README.md needs one line “${marks.begin}” and one “${marks.end}” behind it: put them around the table of figures.`);
  }
  return `${before}${marks.begin}\n${headlines}\n${marks.end}${after}`;
}
