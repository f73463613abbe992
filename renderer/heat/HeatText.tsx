import { type KeyboardEvent, memo, type PointerEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Unit } from "../../electron/contract/units.ts";
import { useHeat, useSession } from "../app/SessionContext.tsx";
import { bringIntoViewSoon, createArrivals } from "../pages/bringIntoView.ts";
import { FoundText, usePageHits } from "../pages/FindMarks.tsx";
import { useFlash } from "../pages/Flash.tsx";
import { usePagePins } from "../pins/PinMarks.tsx";
import { selectUnits } from "../pins/selectedPassages.ts";
import type { PageHeat } from "./heatIndex.ts";
import { heatLookNames, type LookOf } from "./looks.ts";
import { type DrawnHeat, useDrawnHeat } from "./useHeat.ts";

type HeatTextProps = { readonly documentId: string; readonly page: number; readonly text: string };

/** Text that is drawn alike. `found`: it is looked for, and whether it is the place in view. */
type Run = { readonly start: number; readonly end: number; readonly look: string; readonly found?: { readonly current: boolean } };

/** A page's text with its heat. The arrow keys go through its units, each of which is then told below the pages. */
export function HeatText({ documentId, page, text }: HeatTextProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useDrawnHeat(documentId, page, place);
  return <DrawnText documentId={documentId} page={page} text={text} drawn={drawn?.heat.text === text ? drawn : null} place={place} />;
}

type DrawnTextProps = HeatTextProps & { readonly drawn: DrawnHeat | null; readonly place: RefObject<HTMLDivElement | null> };

const arrives = createArrivals();

/** Apart, as its many pieces are to be made only when they change. */
const DrawnText = memo(function DrawnText({ documentId, page, text, drawn, place }: DrawnTextProps) {
  const { t } = useTranslation();
  const session = useSession();
  const heat = drawn?.heat ?? null;
  const lookOf = drawn?.lookOf ?? null;
  const pointed = useHeat((state) => (state.pointed?.documentId === documentId && state.pointed.page === page ? state.pointed.unit : null));
  const runs = useMemo(() => (heat === null || lookOf === null ? null : runsOf(heat, lookOf, pointed)), [heat, lookOf, pointed]);
  const flash = useFlash(documentId, page);
  const flashed = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (flash === null) return;
    return bringIntoViewSoon(() => (arrives(flash) ? flashed.current : null));
  }, [flash]);
  const hits = usePageHits(documentId, page);
  const flashes = flash === null ? [] : [{ ...flash, look: "flash" }];
  const whole = runs ?? [{ start: 0, end: text.length, look: "" }];
  const pinned = usePagePins(documentId, page).map(({ start, end }) => ({ start, end, look: "pinned" }));
  const shown = withMarks(
    withMarks(withMarks(whole, pinned), flashes),
    hits.map(({ start, end, current }) => ({ start, end, look: "", found: { current } })),
  );
  const pieces = shown.map(({ start, end, look, found }) => (
    <span key={start} className={look === "" ? undefined : look} data-start={start} ref={start === flash?.start ? flashed : undefined}>
      {found === undefined ? text.slice(start, end) : <FoundText text={text.slice(start, end)} current={found.current} />}
    </span>
  ));
  // Shift and the arrow keys select from one unit to another. What is drawn anew loses its selection, so it is set after that.
  const selected = useRef<object | null>(null);
  const [selecting, setSelecting] = useState<{ readonly from: Unit; readonly to: Unit } | null>(null);
  useLayoutEffect(() => {
    const selection = window.getSelection();
    if (selecting === null || place.current === null || selection === null) return;
    // Taken back, or made elsewhere, it is not forced upon anybody.
    const isOurs = selection.rangeCount > 0 && place.current.contains(selection.anchorNode);
    if (selected.current === selecting && !isOurs) return;
    selected.current = selecting;
    const { from, to } = selecting;
    selectUnits(place.current, { start: Math.min(from.start, to.start), end: Math.max(from.end, to.end) });
  });
  if (heat === null) {
    return (
      <div className="text-page-text" dir="auto" ref={place}>
        {pieces}
      </div>
    );
  }
  const point = (unit: Unit | null): void => {
    if (unit === pointed) return;
    session.heat.point(unit === null ? null : { documentId, page, unit, text: text.slice(unit.start, unit.end) });
  };
  // What is pointed at is drawn anew, which must not happen below a selection.
  const pointWhereFree = (unit: Unit | null): void => {
    if (window.getSelection()?.isCollapsed !== false) point(unit);
  };
  const move = (event: PointerEvent<HTMLElement>): void => {
    if (event.buttons === 0) pointWhereFree(unitUnder(heat, event.clientX, event.clientY));
  };
  const key = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = nextUnit(heat, pointed, step);
    point(next);
    if (!event.shiftKey && selecting !== null) window.getSelection()?.removeAllRanges();
    setSelecting(event.shiftKey && next !== null ? { from: selecting?.from ?? pointed ?? next, to: next } : null);
  };
  return (
    <div
      className="text-page-text heat-text"
      dir="auto"
      role="group"
      aria-label={t("heat.textOf", { page })}
      tabIndex={0}
      ref={place}
      onPointerDown={() => setSelecting(null)}
      onPointerMove={move}
      onPointerLeave={() => pointWhereFree(null)}
      onKeyDown={key}
      onBlur={() => point(null)}
    >
      {pieces}
    </div>
  );
});

function runsOf({ units }: PageHeat, lookOf: LookOf, pointed: Unit | null): Run[] {
  const runs: { start: number; end: number; look: string }[] = [];
  for (const unit of units) {
    const look = `${heatLookNames(lookOf(unit))}${unit === pointed ? " pointed" : ""}`;
    const last = runs[runs.length - 1];
    if (last !== undefined && last.look === look) last.end = unit.end;
    else runs.push({ start: unit.start, end: unit.end, look });
  }
  return runs;
}

/** The same runs, with those that are marked apart; the marks are in order and do not overlap. */
function withMarks(runs: readonly Run[], marks: readonly Run[]): readonly Run[] {
  if (marks.length === 0) return runs;
  return runs.flatMap((run) => {
    const pieces: Run[] = [];
    let at = run.start;
    for (const { start, end, look, found } of marks) {
      const [from, to] = [Math.max(at, start), Math.min(run.end, end)];
      if (from >= to) continue;
      if (from > at) pieces.push({ ...run, start: at, end: from });
      pieces.push({ ...run, start: from, end: to, look: `${run.look} ${look}`.trim(), ...(found === undefined ? {} : { found }) });
      at = to;
    }
    if (at < run.end) pieces.push({ ...run, start: at });
    return pieces;
  });
}

/** The unit of a page's text that is drawn at a place of the window. */
function unitUnder({ units }: PageHeat, x: number, y: number): Unit | null {
  const range = document.caretRangeFromPoint(x, y);
  const start = range?.startContainer.parentElement?.closest<HTMLElement>("[data-start]")?.dataset["start"];
  if (range === null || start === undefined) return null;
  const place = Number(start) + range.startOffset;
  return units.find((unit) => place >= unit.start && place < unit.end) ?? null;
}

/** The one before or after that has something to read. */
function nextUnit({ text, units }: PageHeat, from: Unit | null, step: 1 | -1): Unit | null {
  let at = from === null ? (step === 1 ? -1 : units.length) : units.indexOf(from);
  for (;;) {
    at += step;
    const unit = units[at];
    if (unit === undefined) return from;
    if (text.slice(unit.start, unit.end).trim() !== "") return unit;
  }
}
