import { memo, useMemo } from "react";
import { type TextRun, textRunsOf } from "./textRuns.ts";
import { usePatientText } from "./usePageText.ts";

type TextLayerProps = {
  readonly documentId: string;
  readonly page: number;
  readonly characters: number;
  /** CSS pixels of one point. */
  readonly scale: number;
};

/** One font in one size for every run, stretched to its place: each size of its own would stay in the window's font caches for good. */
const family = "sans-serif";
const fontSize = 16;
let measuring: CanvasRenderingContext2D | null = null;

/** How much a run must be stretched so that its letters lie over those of the picture. */
function stretchOf(run: TextRun): number {
  measuring ??= document.createElement("canvas").getContext("2d");
  if (measuring === null) return 1;
  measuring.font = `100px ${family}`;
  const width = (measuring.measureText(run.text.trimEnd()).width * run.height) / 100;
  return width > 0 ? run.width / width : 1;
}

/** Selectable text over the picture of a page: see-through, in reading order, and what a screen reader reads. */
export const TextLayer = memo(function TextLayer({ documentId, page, characters, scale }: TextLayerProps) {
  const text = usePatientText(documentId, page, characters);
  const runs = useMemo(() => (text === null ? [] : textRunsOf(text).map((run) => ({ ...run, stretch: stretchOf(run) }))), [text]);
  return (
    <div className="text-layer" style={{ fontFamily: family, fontSize }}>
      {runs.map((run) => (
        <span
          key={run.start}
          data-start={run.start}
          dir="auto"
          style={{
            left: run.left * scale,
            top: run.top * scale,
            transform: `scale(${(run.stretch * run.height * scale) / fontSize}, ${(run.height * scale) / fontSize})`,
          }}
        >
          {run.text}
        </span>
      ))}
    </div>
  );
});
