import type { ReactNode } from "react";
import { Bars } from "./Bars.tsx";
import { Lines } from "./Lines.tsx";
import type { Plot as PlotData } from "./model.ts";
import { plotStyle } from "./plotStyle.ts";

type PlotProps = {
  readonly plot: PlotData;
  /** Unlike that of any other plot of the page. */
  readonly id: string;
  /** A file of its own brings its style with it. */
  readonly isFile?: boolean;
};

/** A plot as SVG. Its title is what is read out; the figures are in a table beside it. */
export function Plot({ plot, id, isFile = false }: PlotProps): ReactNode {
  const { width, height, content } = plot.form === "lines" ? Lines(plot) : Bars(plot);
  const titleId = `${id}-title`;
  return (
    <svg
      className="plot"
      role="img"
      aria-labelledby={titleId}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      {...(isFile ? { xmlns: "http://www.w3.org/2000/svg" } : {})}
    >
      <title id={titleId}>{plot.title}</title>
      {isFile && <style>{plotStyle}</style>}
      <rect className="paper" width={width} height={height} />
      {content}
    </svg>
  );
}
