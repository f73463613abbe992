import type { PassagePlace } from "./viewStore.ts";

/**
 * Tells of each passage once that it has just been jumped to. A page that is scrolled back to is drawn anew, with the passage still framed:
 * that is no reason to take the view there again.
 */
export function createArrivals(): (passage: PassagePlace) => boolean {
  const arrived = new WeakSet<PassagePlace>();
  return (passage) => {
    if (arrived.has(passage)) return false;
    arrived.add(passage);
    return true;
  };
}

/** Scrolls the pages, and nothing around them, so that a part of them stands in their middle. */
export function bringIntoView(element: HTMLElement | null): void {
  const scroller = element?.closest<HTMLElement>(".page-scroller");
  if (element === null || scroller === null || scroller === undefined) return;
  const [own, around] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
  scroller.scrollTop += own.top - around.top - (around.height - own.height) / 2;
}

/** Milliseconds after which a page that was gone to stands where it is to stand. */
const afterPage = 120;

/** {@link bringIntoView}, once the page that was gone to is in view. @returns what gives it up */
export function bringIntoViewSoon(element: () => HTMLElement | null): () => void {
  const timer = setTimeout(() => bringIntoView(element()), afterPage);
  return () => clearTimeout(timer);
}
