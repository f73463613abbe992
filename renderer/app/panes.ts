/** The panes in the order of F6; one that is folded away has no element. */
const paneNames = ["library", "pages", "conversation"] as const;

/** Index of the next pane that exists, round the corner. `current` is -1 outside of all. */
export function nextPane(current: number, direction: 1 | -1, count: number): number {
  if (current === -1) return direction === 1 ? 0 : count - 1;
  return (current + direction + count) % count;
}

/** Moves the focus to the next pane: to its own first place to be (the question, the pages), else to the pane. */
export function focusNextPane(root: Document, direction: 1 | -1): void {
  const panes = paneNames.flatMap((name) => root.querySelector<HTMLElement>(`[data-pane="${name}"]`) ?? []);
  const active = root.activeElement;
  const current = panes.findIndex((pane) => pane.contains(active));
  const pane = panes[nextPane(current, direction, panes.length)];
  const target = pane?.querySelector<HTMLElement>("[data-pane-focus]") ?? pane;
  target?.focus();
}
