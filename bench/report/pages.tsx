import { renderToStaticMarkup } from "react-dom/server";
import type { Report } from "./model.ts";
import { Page } from "./Page.tsx";
import { Plot } from "./Plot.tsx";
import { plotFile } from "./plotFiles.ts";

/** One HTML page that needs nothing else: no network, no other file. */
export function reportHtml(report: Report): string {
  return `<!doctype html>\n${renderToStaticMarkup(<Page report={report} />)}\n`;
}

/** Every plot as an SVG file, by its name below docs/results: what Markdown shows. */
export function plotFiles(report: Report): ReadonlyMap<string, string> {
  const runs = report.sections.flatMap(({ groups }) => groups.flatMap((group) => group.runs));
  return new Map(
    runs.flatMap(({ origin, shown }) =>
      shown.plots.map((plot) => [plotFile(origin, plot), `${renderToStaticMarkup(<Plot plot={plot} id="plot" isFile />)}\n`] as const),
    ),
  );
}
