import { useEffect, useRef } from "react";
import { useView } from "../app/SessionContext.tsx";
import { bringIntoView, createArrivals } from "./bringIntoView.ts";
import { LineFrames } from "./LineFrames.tsx";
import { usePatientText } from "./usePageText.ts";
import type { PassagePlace } from "./viewStore.ts";

/** The passage that was jumped to, where it is on this page. */
export function useFlash(documentId: string, page: number): PassagePlace | null {
  return useView(({ flash }) => (flash?.documentId === documentId && flash.page === page ? flash : null));
}

type FlashProps = { readonly documentId: string; readonly page: number; readonly characters: number; readonly scale: number };

const arrives = createArrivals();

/** Frames the passage that was jumped to on the page's picture, and brings it into view. */
export function Flash({ documentId, page, characters, scale }: FlashProps) {
  const flash = useFlash(documentId, page);
  const text = usePatientText(documentId, page, characters);
  const first = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (flash !== null && text !== null && arrives(flash)) bringIntoView(first.current);
  }, [flash, text]);
  if (flash === null || text === null) return null;
  const { start, end } = flash;
  return <LineFrames boxes={text.boxes} start={start} end={end} scale={scale} className="page-flash" testId="flash" first={first} />;
}
