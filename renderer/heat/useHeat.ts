import { useMemo } from "react";
import { useHeat } from "../app/SessionContext.tsx";
import { type PageHeat, pageKey } from "./heatIndex.ts";
import { keptNow } from "./heatStore.ts";
import { type LookOf, looksOf } from "./looks.ts";

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

/** A page's units, where it was part of the last prompt. */
export function usePageHeat(documentId: string, page: number): PageHeat | null {
  return useHeat(({ subject }) => (subject.status === "ready" ? (subject.index.pages.get(pageKey(documentId, page)) ?? null) : null));
}
