import type { Pin } from "../../electron/contract/pin.ts";

/** Without the blanks around its words; null where there are none. @param text of the page that the passage is on */
export function withoutBlanks(text: string, pin: Pin): Pin | null {
  const words = text.slice(pin.start, pin.end);
  const start = pin.start + words.length - words.trimStart().length;
  const end = pin.start + words.trimEnd().length;
  return start < end ? { ...pin, start, end } : null;
}

/** The same pins with one more: what it touches on its page becomes one pin with it. */
export function withPin(pins: readonly Pin[], pin: Pin): Pin[] {
  const touches = (other: Pin): boolean => isSamePage(other, pin) && other.start <= pin.end && pin.start <= other.end;
  const touched = pins.filter(touches);
  const start = Math.min(pin.start, ...touched.map((other) => other.start));
  const end = Math.max(pin.end, ...touched.map((other) => other.end));
  return [...pins.filter((other) => !touches(other)), { ...pin, start, end }];
}

export function withoutPin(pins: readonly Pin[], pin: Pin): Pin[] {
  return pins.filter((other) => !isSamePage(other, pin) || other.start !== pin.start || other.end !== pin.end);
}

function isSamePage(one: Pin, other: Pin): boolean {
  return one.documentId === other.documentId && one.page === other.page;
}
