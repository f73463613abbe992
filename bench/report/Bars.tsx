import { scaleLinear } from "d3-scale";
import type { ReactNode } from "react";
import type { BarPlot } from "./model.ts";

const width = 640;
const rowHeight = 26;
const top = 12;
/** Pixels of a letter on the average; names never need more. */
const letterWidth = 7.5;
/** For a bar's value behind its end. */
const valueWidth = 64;

/** A bar for each name, its value written behind it. Sizes in pixels. */
export function Bars({ label, bars, limit }: BarPlot): { width: number; height: number; content: ReactNode } {
  const left = 16 + letterWidth * Math.max(...bars.map(({ name }) => name.length));
  const values = [...bars.map(({ value }) => value), limit?.value ?? 0, 0];
  const scale = scaleLinear()
    .domain([Math.min(...values), Math.max(...values)])
    .range([left, width - valueWidth]);
  const bottom = top + rowHeight * bars.length;
  const zero = round(scale(0));
  const content = (
    <>
      {bars.map(({ name, value, text }, index) => {
        const middle = top + rowHeight * (index + 0.5);
        const end = round(scale(value));
        return (
          <g key={name}>
            <text x={left - 8} y={middle + 4} textAnchor="end">
              {name}
            </text>
            <rect className="ink0" x={Math.min(zero, end)} y={middle - 8} width={round(Math.abs(end - zero))} height={16} />
            <text x={Math.max(zero, end) + 6} y={middle + 4}>
              {text}
            </text>
          </g>
        );
      })}
      <line className="axis" x1={zero} x2={zero} y1={top} y2={bottom} />
      {limit !== null && (
        <>
          <line className="limit" x1={round(scale(limit.value))} x2={round(scale(limit.value))} y1={top} y2={bottom + 6} />
          <text x={round(scale(limit.value))} y={bottom + 20} textAnchor="middle">
            {limit.text}
          </text>
        </>
      )}
      <text x={width - valueWidth} y={bottom + 20} textAnchor="end">
        {label}
      </text>
    </>
  );
  return { width, height: bottom + 30, content };
}

const round = (place: number): number => Math.round(place * 10) / 10;
