import { type RefObject, useEffect } from "react";
import { useSession } from "../app/SessionContext.tsx";
import { selectedPassages } from "./selectedPassages.ts";

/** Milliseconds that a selection must rest: while it is drawn, nothing is to jump about. */
const patience = 150;

/** Keeps track of what is selected of a document's pages. @param root around all of them */
export function useSelectedPassages(root: RefObject<HTMLElement | null>, documentId: string): void {
  const { pins } = useSession();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const look = (): void => {
      const selection = window.getSelection();
      const selected = root.current === null || selection === null ? [] : selectedPassages(root.current, selection, documentId);
      const lines = selected.length === 0 ? [] : [...(selection?.getRangeAt(0).getClientRects() ?? [])];
      const last = lines[lines.length - 1];
      const area = root.current?.getBoundingClientRect();
      // Scrolled out of sight it is still selected, but there is no place beside it.
      const inSight = last !== undefined && area !== undefined && last.bottom > area.top && last.bottom < area.bottom - 40;
      pins.select(selected, inSight ? { left: Math.min(last.right, area.right - 160), top: last.bottom + 6 } : null);
    };
    const soon = (): void => {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(look, patience);
    };
    const events = ["selectionchange", "scroll"] as const;
    for (const name of events) document.addEventListener(name, soon, { capture: true, passive: true });
    return () => {
      if (timer !== null) clearTimeout(timer);
      for (const name of events) document.removeEventListener(name, soon, { capture: true });
      pins.select([], null);
    };
  }, [pins, root, documentId]);
}
