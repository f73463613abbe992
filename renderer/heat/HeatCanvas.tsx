import { memo, useEffect, useMemo, useRef } from "react";
import { useHeat, useSession } from "../app/SessionContext.tsx";
import { LineFrames } from "../pages/LineFrames.tsx";
import { usePatientText } from "../pages/usePageText.ts";
import { type PlacedUnit, paintHeat, placeUnits, unitAt } from "./paintHeat.ts";
import { useDrawnHeat } from "./useHeat.ts";

type HeatCanvasProps = {
  readonly documentId: string;
  readonly page: number;
  readonly characters: number;
  /** CSS pixels of one point, and of the page. */
  readonly scale: number;
  readonly width: number;
  readonly height: number;
};

const nothing: readonly PlacedUnit[] = [];

/** The heat over a page's picture, and what is pointed at. */
export const HeatCanvas = memo(function HeatCanvas({ documentId, page, characters, scale, width, height }: HeatCanvasProps) {
  const session = useSession();
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useDrawnHeat(documentId, page, canvas);
  const heat = drawn?.heat ?? null;
  const lookOf = drawn?.lookOf ?? null;
  const text = usePatientText(documentId, page, characters);
  const placed = useMemo(() => (heat === null || text === null ? nothing : placeUnits(heat, text)), [heat, text]);
  const isShown = lookOf !== null && placed.length > 0;
  const fades = useHeat((state) => state.view === "kept");

  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!isShown || context === null || context === undefined) return;
    const density = Math.min(window.devicePixelRatio, 2);
    context.canvas.width = Math.max(1, Math.round(width * density));
    context.canvas.height = Math.max(1, Math.round(height * density));
    paintHeat(context, placed, lookOf, scale * density);
  }, [isShown, placed, lookOf, scale, width, height]);

  useEffect(() => {
    // The selectable text lies above the canvas, so it is the page that hears of the pointer.
    const article = canvas.current?.parentElement;
    if (!isShown || heat === null || article === null || article === undefined) return;
    const move = (event: PointerEvent): void => {
      const area = article.getBoundingClientRect();
      const unit = unitAt(placed, (event.clientX - area.left) / scale, (event.clientY - area.top) / scale);
      if ((session.stores.heat.getState().pointed?.unit ?? null) === unit) return;
      session.heat.point(unit === null ? null : { documentId, page, unit, text: heat.text.slice(unit.start, unit.end) });
    };
    const leave = (): void => session.heat.point(null);
    article.addEventListener("pointermove", move);
    article.addEventListener("pointerleave", leave);
    return () => {
      article.removeEventListener("pointermove", move);
      article.removeEventListener("pointerleave", leave);
    };
  }, [isShown, placed, heat, scale, session, documentId, page]);

  if (!isShown) return null;
  return (
    <>
      <canvas ref={canvas} className={`heat-canvas${fades ? "" : " heat-shades"}`} data-testid="heat-canvas" />
      <PointedFrame documentId={documentId} page={page} scale={scale} boxes={text?.boxes ?? null} />
    </>
  );
});

type PointedFrameProps = {
  readonly documentId: string;
  readonly page: number;
  readonly scale: number;
  readonly boxes: Float32Array | null;
};

/** A frame around what is pointed at. */
function PointedFrame({ documentId, page, scale, boxes }: PointedFrameProps) {
  const pointed = useHeat((state) => (state.pointed?.documentId === documentId && state.pointed.page === page ? state.pointed : null));
  if (pointed === null || boxes === null) return null;
  const { start, end } = pointed.unit;
  return <LineFrames boxes={boxes} start={start} end={end} scale={scale} className="heat-pointed" />;
}
