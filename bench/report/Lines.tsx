import { scaleLinear, scaleLog } from "d3-scale";
import type { ReactNode } from "react";
import type { LinePlot, Series } from "./model.ts";
import { colourCount } from "./plotStyle.ts";

const width = 640;
const plotted = { left: 60, right: 620, top: 16, bottom: 260 };
/** Between the intervals of two series at the same place. */
const asideWidth = 7;
/** Points that have marks each, and marks that a line of more points has, about. */
const [mostMarks, fewMarks] = [60, 10];
const legend = { top: 318, lineHeight: 20, columnWidth: 280, columns: 2 };

/** Lines over numbers, with marks at the points and bars over their intervals. Sizes in pixels. */
export function Lines({ x, y, series }: LinePlot): { width: number; height: number; content: ReactNode } {
  const points = series.flatMap((one) => one.points);
  const xs = [...new Set(points.map((point) => point.x))].sort((one, other) => one - other);
  const ys = points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]);
  const isLogarithmic = x.scale === "logarithmic" && xs.every((value) => value > 0);
  const scaleX = (isLogarithmic ? scaleLog : scaleLinear)()
    .domain([Math.min(...xs), Math.max(...xs)])
    .range([plotted.left + 24, plotted.right - 24]);
  const isLogarithmicY = y.scale === "logarithmic" && ys.every((value) => value > 0);
  const scaleY = (isLogarithmicY ? scaleLog : scaleLinear)()
    .domain([isLogarithmicY ? Math.min(...ys) : Math.min(0, ...ys), y.most ?? Math.max(...ys)])
    .range([plotted.bottom, plotted.top]);
  if (y.most === undefined) scaleY.nice();
  const nameY = isLogarithmicY ? (value: number) => value.toLocaleString("en") : scaleY.tickFormat(5);
  // A logarithmic axis has a tick at each digit of each power of ten.
  const ticksY = scaleY.ticks(5).filter((tick) => !isLogarithmicY || Number.isInteger(Math.log10(tick)));
  // Budgets are few and no round numbers: each is named where it stands.
  const ticksX = isLogarithmic ? xs : scaleX.ticks(6);
  // Intervals at one place would hide each other.
  const hasIntervals = points.some(({ low }) => low !== undefined);
  const asideOf = (index: number) => (hasIntervals ? (index - (series.length - 1) / 2) * asideWidth : 0);
  const height = legend.top + legend.lineHeight * Math.ceil(series.length / legend.columns);
  const content = (
    <>
      {ticksY.map((tick) => (
        <g key={tick}>
          <line className="grid" x1={plotted.left} x2={plotted.right} y1={round(scaleY(tick))} y2={round(scaleY(tick))} />
          <text x={plotted.left - 8} y={round(scaleY(tick)) + 4} textAnchor="end">
            {nameY(tick)}
          </text>
        </g>
      ))}
      <line className="axis" x1={plotted.left} x2={plotted.right} y1={plotted.bottom} y2={plotted.bottom} />
      {ticksX.map((tick) => (
        <text key={tick} x={round(scaleX(tick))} y={plotted.bottom + 18} textAnchor="middle">
          {tick.toLocaleString("en")}
        </text>
      ))}
      <text x={(plotted.left + plotted.right) / 2} y={plotted.bottom + 38} textAnchor="middle">
        {x.label}
      </text>
      <text transform={`translate(14 ${(plotted.top + plotted.bottom) / 2}) rotate(-90)`} textAnchor="middle">
        {y.label}
      </text>
      {series.map((one, index) => (
        <Course
          key={one.name}
          series={one}
          index={index}
          placeOf={(value, level) => [round(scaleX(value) + asideOf(index)), round(scaleY(level))]}
        />
      ))}
      {series.map((one, index) => {
        const left = plotted.left + legend.columnWidth * (index % legend.columns);
        const top = legend.top + legend.lineHeight * Math.floor(index / legend.columns);
        return (
          <g key={one.name} className={inkOf(index)}>
            <line className="course" x1={left} x2={left + 32} y1={top} y2={top} strokeDasharray={dashOf(index)} />
            <path d={markAt(index, left + 16, top)} />
            <text x={left + 40} y={top + 4}>
              {one.name}
            </text>
          </g>
        );
      })}
    </>
  );
  return { width, height, content };
}

type CourseProps = {
  readonly series: Series;
  readonly index: number;
  readonly placeOf: (x: number, y: number) => readonly [number, number];
};

function Course({ series: { points }, index, placeOf }: CourseProps) {
  const places = points.map((point) => placeOf(point.x, point.y));
  return (
    <g className={inkOf(index)}>
      <polyline className="course" strokeDasharray={dashOf(index)} points={places.map((place) => place.join(",")).join(" ")} />
      {points.map(({ x, low, high }) => {
        if (low === undefined || high === undefined) return null;
        const [[left, bottom], [, top]] = [placeOf(x, low), placeOf(x, high)];
        return <path key={x} className="span" d={`M${left} ${bottom}V${top}M${left - 4} ${bottom}h8M${left - 4} ${top}h8`} fill="none" />;
      })}
      {markedOf(places, index).map(([left, top]) => (
        <path key={`${left} ${top}`} d={markAt(index, left, top)} />
      ))}
    </g>
  );
}

const round = (place: number): number => Math.round(place * 10) / 10;
const inkOf = (index: number): string => `ink${index % colourCount}`;

/** Where points are so many that their marks would hide the line, only some of them have one, and not where the next line's are. */
function markedOf<Place>(places: readonly Place[], index: number): readonly Place[] {
  if (places.length <= mostMarks) return places;
  const stride = Math.ceil(places.length / fewMarks);
  return places.filter((_, place) => place % stride === (3 * index) % stride);
}

/** Lines and marks differ in form too, so that nobody needs their colours. */
const dashes = ["none", "7 4", "2 3", "9 3 2 3"];
const dashOf = (index: number): string => dashes[index % dashes.length] ?? "none";

const marks = [
  (x: number, y: number) => `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z`,
  (x: number, y: number) => `M${x - 4} ${y - 4}h8v8h-8z`,
  (x: number, y: number) => `M${x} ${y - 5}l5 9h-10z`,
  (x: number, y: number) => `M${x} ${y - 5}l5 5l-5 5l-5 -5z`,
  (x: number, y: number) => `M${x} ${y + 5}l-5 -9h10z`,
  (x: number, y: number) => `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`,
  (x: number, y: number) => `M${x - 5} ${y}h10m-5 -5v10`,
] as const;
const markAt = (index: number, x: number, y: number): string => (marks[index % marks.length] ?? marks[0])(x, y);
