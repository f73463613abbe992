import { useEffect, useRef } from "react";
import { linesOf } from "../../electron/contract/boxes.ts";
import { useView } from "../app/SessionContext.tsx";
import { bringIntoView } from "./bringIntoView.ts";
import { usePatientText } from "./usePageText.ts";
import type { PassagePlace } from "./viewStore.ts";

/** The passage that was jumped to, where it is on this page. */
export function useFlash(documentId: string, page: number): PassagePlace | null {
  return useView(({ flash }) => (flash?.documentId === documentId && flash.page === page ? flash : null));
}

type FlashProps = { readonly documentId: string; readonly page: number; readonly characters: number; readonly scale: number };

/** Frames the passage that was jumped to on the page's picture, and brings it into view. */
export function Flash({ documentId, page, characters, scale }: FlashProps) {
  const flash = useFlash(documentId, page);
  const text = usePatientText(documentId, page, characters);
  const first = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (flash !== null && text !== null) bringIntoView(first.current);
  }, [flash, text]);
  if (flash === null || text === null) return null;
  return linesOf(text.boxes, flash.start, flash.end).map((box, index) => (
    <span
      key={`${flash.start} ${box.left} ${box.top}`}
      ref={index === 0 ? first : undefined}
      className="page-flash"
      data-testid="flash"
      style={{
        left: box.left * scale,
        top: box.top * scale,
        width: (box.right - box.left) * scale,
        height: (box.bottom - box.top) * scale,
      }}
    />
  ));
}
