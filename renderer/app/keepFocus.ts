import { useEffect } from "react";
import { isShown, placeToBe } from "./panes.ts";

/** Milliseconds that whoever takes the focused element away has to place the focus. */
const patience = 100;

/** Where the focus goes from what is no longer there: the nearest of these around it. */
const refuges = '[data-refuge], [role="dialog"], [data-pane]';

/**
 * Keeps the focus somewhere: where the element that has it is removed, hidden or disabled, browsers let it fall to the page, and the next
 * Tab starts at the window's first button. Clicks beside everything are left alone.
 * @returns a function that ends it
 */
export function keepFocus(root: Document): () => void {
  let last: HTMLElement | null = null;
  let around: readonly Element[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;

  const isLost = (): boolean => last !== null && (root.activeElement === null || root.activeElement === root.body);
  const isUsable = (element: HTMLElement): boolean => isShown(element) && !element.matches(":disabled");

  function place(): void {
    timer = null;
    if (last === null || !isLost()) return;
    // Disabled for as long as something is done: it gets the focus back afterwards.
    if (isShown(last)) {
      if (isUsable(last)) last.focus({ preventScroll: true });
      return;
    }
    const refuge = around.find((element) => element.matches(refuges) && isShown(element));
    const question = root.querySelector<HTMLElement>('[data-pane="conversation"]');
    const place = refuge instanceof HTMLElement ? refuge : question;
    if (place !== null) placeToBe(place).focus({ preventScroll: true });
  }

  const focused = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    around = ancestorsOf(target);
  };
  // Given up on purpose, by a click beside everything.
  const left = ({ target, relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null) return;
    setTimeout(() => {
      if (last !== null && last === target && isLost() && isUsable(last)) last = null;
    });
  };
  const changed = new MutationObserver(() => {
    if (timer === null && isLost()) timer = setTimeout(place, patience);
  });
  root.addEventListener("focusin", focused);
  root.addEventListener("focusout", left);
  changed.observe(root.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled", "hidden", "data-state"] });
  return () => {
    if (timer !== null) clearTimeout(timer);
    root.removeEventListener("focusin", focused);
    root.removeEventListener("focusout", left);
    changed.disconnect();
  };
}

function ancestorsOf(element: Element): readonly Element[] {
  const all: Element[] = [];
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) all.push(parent);
  return all;
}

/** {@link keepFocus} as long as the window is there. */
export function useKeptFocus(): void {
  useEffect(() => keepFocus(document), []);
}
