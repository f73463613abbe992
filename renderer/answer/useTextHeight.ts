import { type RefObject, useEffect, useLayoutEffect } from "react";

/** Characters from which on nothing is measured: the field is at its tallest anyway, and measuring a pasted book takes long. */
const longText = 4000;

/**
 * Makes a field as tall as its text, whatever its width becomes: the window's size, or a pane's.
 * @param tallest pixels at which it scrolls instead
 */
export function useTextHeight(field: RefObject<HTMLTextAreaElement | null>, text: string, tallest: number): void {
  useLayoutEffect(() => {
    if (field.current !== null) fitToText(field.current, tallest);
  }, [field, text, tallest]);
  useEffect(() => {
    const element = field.current;
    if (element === null) return;
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      // Its height is our own doing.
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      fitToText(element, tallest);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [field, tallest]);
}

function fitToText(element: HTMLTextAreaElement, tallest: number): void {
  if (element.value.length > longText) {
    element.style.height = `${tallest}px`;
    return;
  }
  element.style.height = "auto";
  element.style.height = `${Math.min(tallest, element.scrollHeight)}px`;
}
