import type { KeyboardEvent } from "react";

/** For the button of each row of a list: arrow keys go to the next row, Home and End to the first and the last. True where one did. */
export function moveAmongRows(event: KeyboardEvent<HTMLElement>): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
  const rows = [...(event.currentTarget.closest("ul")?.querySelectorAll<HTMLElement>(".library-button") ?? [])];
  const at = rows.indexOf(event.currentTarget);
  const to = new Map([
    ["ArrowDown", at + 1],
    ["ArrowUp", at - 1],
    ["Home", 0],
    ["End", rows.length - 1],
  ]).get(event.key);
  if (to === undefined) return false;
  event.preventDefault();
  rows[to]?.focus();
  return true;
}
