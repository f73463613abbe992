import { type PointerEvent, type RefObject, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { shadeShares } from "../../electron/contract/shades.ts";
import { useHeat } from "../app/SessionContext.tsx";
import type { HeatIndex } from "./heatIndex.ts";
import type { LookOf } from "./looks.ts";
import { useLooks } from "./useHeat.ts";
import { useInTurn } from "./useInTurn.ts";

type MinimapProps = {
  readonly documentId: string;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Of each page, by its place in the document: its share of the column, from 0 … 1 to 0 … 1. */
  readonly places: readonly { readonly top: number; readonly bottom: number }[];
  /** Beside pictures of pages, which are white in any theme. */
  readonly onPaper: boolean;
};

/** How dark each row of a strip is: the darkest shade of what stands there, or in "kept" how much of it is kept. */
export function rowsOf(
  index: Pick<HeatIndex, "pages">,
  lookOf: LookOf,
  { documentId, places, height, keeps }: Pick<MinimapProps, "documentId" | "places"> & { readonly height: number; readonly keeps: boolean },
): Uint8Array {
  const rows = new Uint8Array(height);
  for (const heat of index.pages.values()) {
    const place = places[heat.page - 1];
    if (heat.documentId !== documentId || place === undefined) continue;
    for (const unit of heat.units) {
      const { shade, level, always } = lookOf(unit);
      // In "importance" what is kept says nothing here: at a large budget that is everything.
      const depth = always ? 0 : keeps ? 2 * level : shade;
      // Within a page by the order of reading: near enough for a strip.
      const at = place.top + ((place.bottom - place.top) * unit.start) / Math.max(1, heat.text.length);
      const row = Math.min(height - 1, Math.floor(at * height));
      if (depth > (rows[row] ?? 0)) rows[row] = depth;
    }
  }
  return rows;
}

/** The whole document's heat beside its scroll bar; a press goes there. The list of top passages is its text alternative. */
export function Minimap({ documentId, scroller, places, onPaper }: MinimapProps) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const index = useHeat(({ subject }) => (subject.status === "ready" ? subject.index : null));
  const lookOf = useLooks();
  const keeps = useHeat((state) => state.view === "kept");
  const now = useMemo(() => (index === null || lookOf === null ? null : { index, lookOf, keeps }), [index, lookOf, keeps]);
  const drawn = useInTurn(now, canvas);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (element === null || context === null || context === undefined || drawn === null) return;
    const { keeps } = drawn;
    const paint = (): void => {
      const height = Math.max(1, element.clientHeight);
      element.width = 1;
      element.height = height;
      const styles = getComputedStyle(element);
      const colourOf = (name: string): string => styles.getPropertyValue(`--heat-${name}`).trim();
      rowsOf(drawn.index, drawn.lookOf, { documentId, places, height, keeps }).forEach((depth, row) => {
        if (depth === 0) return;
        context.globalAlpha = keeps ? depth / 6 : 1;
        context.fillStyle = colourOf(keeps ? "mark" : String(Math.min(depth, shadeShares.length)));
        context.fillRect(0, row, 1, 1);
      });
    };
    paint();
    const observer = new ResizeObserver(paint);
    observer.observe(element);
    // Colours are the theme's.
    const themes = new MutationObserver(paint);
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      observer.disconnect();
      themes.disconnect();
    };
  }, [drawn, documentId, places]);
  if (drawn === null) return null;
  const go = (event: PointerEvent<HTMLElement>): void => {
    const element = scroller.current;
    if (element === null || event.buttons !== 1) return;
    const area = event.currentTarget.getBoundingClientRect();
    element.scrollTop = ((event.clientY - area.top) / area.height) * element.scrollHeight - element.clientHeight / 2;
  };
  return (
    <canvas
      ref={canvas}
      className={`minimap${onPaper ? " on-paper" : ""}`}
      title={t("heat.minimap")}
      data-testid="minimap"
      onPointerDown={go}
      onPointerMove={go}
    />
  );
}
