import { type KeyboardEvent, memo, type PointerEvent, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useHeat, useSession } from "../app/SessionContext.tsx";
import { bringIntoView } from "../pages/bringIntoView.ts";
import { useFlash } from "../pages/Flash.tsx";
import type { PassagePlace } from "../pages/viewStore.ts";
import type { PageHeat } from "./heatIndex.ts";
import { type LookOf, lookName } from "./looks.ts";
import type { Unit } from "./units.ts";
import { useLooks, usePageHeat } from "./useHeat.ts";

type HeatTextProps = { readonly documentId: string; readonly page: number; readonly text: string };

/** Text that is drawn alike. */
type Run = { readonly start: number; readonly end: number; readonly look: string };

/** A page's text with its heat. The arrow keys go through its units, each of which is then told below the pages. */
export const HeatText = memo(function HeatText({ documentId, page, text }: HeatTextProps) {
  const { t } = useTranslation();
  const session = useSession();
  const lookOf = useLooks();
  const known = usePageHeat(documentId, page);
  const heat = lookOf === null || known?.text !== text ? null : known;
  const pointed = useHeat((state) => (state.pointed?.documentId === documentId && state.pointed.page === page ? state.pointed.unit : null));
  const runs = useMemo(() => (heat === null || lookOf === null ? null : runsOf(heat, lookOf, pointed)), [heat, lookOf, pointed]);
  const flash = useFlash(documentId, page);
  const flashed = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (flash !== null) bringIntoView(flashed.current);
  }, [flash]);
  const shown = withFlash(runs ?? [{ start: 0, end: text.length, look: "" }], flash);
  const pieces = shown.map(({ start, end, look }) => (
    <span key={start} className={look === "" ? undefined : look} data-start={start} ref={start === flash?.start ? flashed : undefined}>
      {text.slice(start, end)}
    </span>
  ));
  if (heat === null) {
    return (
      <div className="text-page-text" dir="auto">
        {pieces}
      </div>
    );
  }
  const point = (unit: Unit | null): void => {
    if (unit === pointed) return;
    session.heat.point(unit === null ? null : { documentId, page, unit, text: text.slice(unit.start, unit.end) });
  };
  const move = (event: PointerEvent<HTMLElement>): void => point(unitUnder(heat, event.clientX, event.clientY));
  const key = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    point(nextUnit(heat, pointed, step));
  };
  return (
    <div
      className="text-page-text heat-text"
      dir="auto"
      role="group"
      aria-label={t("heat.textOf", { page })}
      tabIndex={0}
      onPointerMove={move}
      onPointerLeave={() => point(null)}
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
    const look = `${lookName(lookOf(unit))}${unit === pointed ? " pointed" : ""}`;
    const last = runs[runs.length - 1];
    if (last !== undefined && last.look === look) last.end = unit.end;
    else runs.push({ start: unit.start, end: unit.end, look });
  }
  return runs;
}

/** The same runs, with those of the passage that was jumped to apart. */
function withFlash(runs: readonly Run[], flash: PassagePlace | null): readonly Run[] {
  if (flash === null) return runs;
  return runs.flatMap(({ start, end, look }) => {
    const [from, to] = [Math.max(start, flash.start), Math.min(end, flash.end)];
    if (from >= to) return [{ start, end, look }];
    return [
      { start, end: from, look },
      { start: from, end: to, look: `${look} flash`.trim() },
      { start: to, end, look },
    ].filter((run) => run.end > run.start);
  });
}

/** The unit of a page's text that is drawn at a place of the window. */
function unitUnder({ units }: PageHeat, x: number, y: number): Unit | null {
  const range = document.caretRangeFromPoint(x, y);
  const start = range?.startContainer.parentElement?.dataset["start"];
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
