import { day } from "./format.ts";
import type { Group, Origin, Report, Run, Section, Table } from "./model.ts";
import { plotFile } from "./plotFiles.ts";

/** docs/results/REPORT.md. */
export function reportMarkdown(report: Report): string {
  const blocks = [
    "# What is measured",
    "Written by `npm run bench -- report` from the raw files beside it; a figure that is changed by hand fails a test. Of a bench's runs on one machine one is shown, the newest that aims speak of; aims are judged for the lookahead modules that come with the app.",
    ...missedBlocks(report),
    ...unmeasuredBlocks(report),
    ...report.sections.flatMap(sectionBlocks),
    ...leftOutBlocks(report),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function missedBlocks({ missed }: Report): string[] {
  if (missed.length === 0) return ["## Aims that are missed", "None of those that were measured."];
  const lines = missed.map(
    ({ subject, verdict: { aim, found }, origin }) =>
      `- **${plain(aim.text)}** (issue ${aim.issue}): ${plain(found)}. ${plain(subject)}. ${plain(origin.machine)}, ${fileLink(origin.file)}`,
  );
  return ["## Aims that are missed", lines.join("\n")];
}

function unmeasuredBlocks({ unmeasured }: Report): string[] {
  if (unmeasured.length === 0) return [];
  const lines = unmeasured.flatMap(({ title, aims }) => [
    `- ${plain(title)}`,
    ...aims.map(({ issue, text }) => `  - ${plain(text)} (issue ${issue})`),
  ]);
  return ["## Aims that no raw file says anything of", lines.join("\n")];
}

function sectionBlocks({ title, about, groups }: Section): string[] {
  return [`## ${plain(title)}`, plain(about), ...groups.flatMap(groupBlocks)];
}

function groupBlocks({ subject, runs, others }: Group): string[] {
  const history =
    others.length === 0 ? [] : [`Other runs, not shown: ${others.map(({ date, file }) => `${fileLink(file)} (${day(date)})`).join(", ")}`];
  return [`### ${plain(subject)}`, ...runs.flatMap((run) => runBlocks(run, runs.length > 1)), ...history];
}

function runBlocks({ origin, shown }: Run, isOneOfSeveral: boolean): string[] {
  return [
    ...(isOneOfSeveral ? [`#### On ${plain(origin.machine)}`] : []),
    originLine(origin),
    ...shown.tables.flatMap((table) => [`*${plain(table.caption)}*`, tableMarkdown(table)]),
    ...shown.plots.map((plot) => `![${plain(plot.title)}](${plotFile(origin, plot)})`),
    ...(shown.verdicts.length === 0
      ? []
      : [
          shown.verdicts
            .map(({ aim, found, isMet }) => `- ${isMet ? "Met" : "**Missed**"}: ${plain(aim.text)} (issue ${aim.issue}): ${plain(found)}`)
            .join("\n"),
        ]),
    ...shown.notes.map(plain),
  ];
}

/** Where figures come from, in one line. */
function originLine({ command, date, commit, machine, file }: Origin): string {
  const revision = commit === null ? "" : ` · commit ${plain(commit)}`;
  return `${code(command)} · ${day(date)} · ${plain(machine)}${revision} · ${fileLink(file)}`;
}

function leftOutBlocks({ leftOut }: Report): string[] {
  if (leftOut.length === 0) return [];
  return ["## Raw files that are left out", leftOut.map(({ file, reason }) => `- ${fileLink(file)}: ${plain(reason)}`).join("\n")];
}

function tableMarkdown({ columns, rows }: Table): string {
  return rowsMarkdown(
    columns.map(({ text }) => plain(text)),
    columns.map(({ isNumber }) => isNumber),
    rows.map((row) => row.map(plain)),
  );
}

/** @param rows of Markdown */
export function rowsMarkdown(head: readonly string[], isNumber: readonly boolean[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(isNumber.map((number) => (number ? "---:" : "---"))), ...rows.map(line)].join("\n");
}

const fileLink = (file: string): string => `[${plain(file)}](${encodeURI(file)})`;

/** Text that Markdown takes for nothing else. Names come out of files that anyone may have written. */
export const plain = (text: string): string =>
  text
    .replaceAll(/[\r\n]+/g, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]|]/g, (character) => `\\${character}`);

/** Code, whatever stands in it. Nothing in a table's cell may be a bar. */
export const code = (text: string): string =>
  `\`${text
    .replaceAll("`", "'")
    .replaceAll(/[\r\n]+/g, " ")
    .replaceAll("|", "\\|")}\``;
