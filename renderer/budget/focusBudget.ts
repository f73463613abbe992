/** Takes the person to the budget, where they can change it. */
export function focusBudget(root: Document): void {
  root.querySelector<HTMLElement>("[data-budget]")?.focus();
}
