/** The panes in the order of F6; one that is folded away has no element or no size. */
const paneNames = ["library", "pages", "conversation", "inspector"] as const;

/**
 * Index of the next pane, round the corner.
 * @param place index of the pane that has the focus; outside of all, half-way between the two it lies between
 */
export function nextPane(place: number, direction: 1 | -1, count: number): number {
  const next = direction === 1 ? Math.floor(place) + 1 : Math.ceil(place) - 1;
  return (next + count) % count;
}

/** Where an element is among the panes, for {@link nextPane}. */
function placeAmong(panes: readonly Element[], element: Element): number {
  const current = panes.findIndex((pane) => pane.contains(element));
  if (current !== -1) return current;
  const after = panes.findIndex((pane) => element.compareDocumentPosition(pane) & Node.DOCUMENT_POSITION_FOLLOWING);
  return (after === -1 ? panes.length : after) - 0.5;
}

/** The pane's own first place to be (the question, the pages), else the pane. */
export function placeToBe(pane: HTMLElement): HTMLElement {
  return pane.querySelector<HTMLElement>("[data-pane-focus]:not(:disabled)") ?? pane;
}

/** True where an element takes room in the window. */
export function isShown(element: Element): boolean {
  return element.isConnected && element.getClientRects().length > 0;
}

/** Moves the focus to the next pane. */
export function focusNextPane(root: Document, direction: 1 | -1): void {
  const panes = paneNames.flatMap((name) => root.querySelector<HTMLElement>(`[data-pane="${name}"]`) ?? []).filter(isShown);
  const pane = panes[nextPane(placeAmong(panes, root.activeElement ?? root.body), direction, panes.length)];
  if (pane !== undefined) placeToBe(pane).focus();
}
