/** Scrolls the pages, and nothing around them, so that a part of them stands in their middle. */
export function bringIntoView(element: HTMLElement | null): void {
  const scroller = element?.closest<HTMLElement>(".page-scroller");
  if (element === null || scroller === null || scroller === undefined) return;
  const [own, around] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
  scroller.scrollTop += own.top - around.top - (around.height - own.height) / 2;
}
