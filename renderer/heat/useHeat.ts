import { type RefObject, useMemo } from "react";
import { useHeat } from "../app/SessionContext.tsx";
import { type PageHeat, pageKey } from "./heatIndex.ts";
import { keptNow } from "./heatStore.ts";
import { type LookOf, looksOf } from "./looks.ts";
import { useInTurn } from "./useInTurn.ts";

/** How the units of all pages are drawn now; null where nothing is laid over them. */
export function useLooks(): LookOf | null {
  const subject = useHeat((state) => state.subject);
  const preview = useHeat((state) => state.preview);
  const layerHead = useHeat((state) => state.layerHead);
  const view = useHeat((state) => state.view);
  const scale = useHeat((state) => state.scale);
  return useMemo(() => {
    const now = keptNow({ subject, preview, layerHead });
    if (view === "off" || subject.status !== "ready" || now === null) return null;
    return looksOf(subject.index, { view, scale }, now);
  }, [subject, view, scale, preview, layerHead]);
}

/** A page's units, and how they are drawn. */
export type DrawnHeat = { readonly heat: PageHeat; readonly lookOf: LookOf };

/**
 * What is laid over a page, where it was part of the last prompt and anything is; told in its turn ({@link useInTurn}).
 * @param place where the page is drawn
 */
export function useDrawnHeat(documentId: string, page: number, place: RefObject<Element | null>): DrawnHeat | null {
  const heat = useHeat(({ subject }) => (subject.status === "ready" ? (subject.index.pages.get(pageKey(documentId, page)) ?? null) : null));
  const lookOf = useLooks();
  const now = useMemo(() => (heat === null || lookOf === null ? null : { heat, lookOf }), [heat, lookOf]);
  return useInTurn(now, place);
}
