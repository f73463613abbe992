/** True where nothing has the focus: what had it was taken away. */
const focusIsFree = (): boolean => document.activeElement === null || document.activeElement === document.body;

/**
 * For `onCloseAutoFocus`: what got the focus after a popover, menu or dialog closed keeps it. Radix gives the focus back in a turn of its
 * own, and a busy machine handles the next key first: Escape and Ctrl+F would leave the letters typed for the search to a button.
 * @returns whether the focus is to go back
 */
export function keepLaterFocus(event: Event): boolean {
  const free = focusIsFree();
  if (!free) event.preventDefault();
  return free;
}
