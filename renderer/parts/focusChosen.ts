/**
 * For a menu of radio items: its focus begins at the one that is chosen. Radix begins at the first one, so that Enter twice would change the
 * choice.
 */
export function focusChosen(open: boolean): void {
  // Radix places the focus after it has drawn the menu.
  if (open) setTimeout(() => document.querySelector<HTMLElement>('[role="menu"] [role="menuitemradio"][aria-checked="true"]')?.focus());
}
