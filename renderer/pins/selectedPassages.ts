import type { Pin } from "../../electron/contract/pin.ts";

/** What is selected of the texts of pages below `root`, page by page in their order. Each text is made of pieces that say where they start. */
export function selectedPassages(root: Element, selection: Selection, documentId: string): Pin[] {
  if (selection.isCollapsed || selection.rangeCount === 0) return [];
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(root)) return [];
  const passages = new Map<number, Pin>();
  for (const article of root.querySelectorAll<HTMLElement>("[data-page]")) {
    if (!range.intersectsNode(article)) continue;
    const pieces = [...article.querySelectorAll<HTMLElement>("[data-start]")].filter((piece) => range.intersectsNode(piece));
    const [first, last] = [pieces[0], pieces[pieces.length - 1]];
    if (first === undefined || last === undefined) continue;
    const page = Number(article.dataset["page"]);
    const start = startOf(first) + unitsBefore(first, range.startContainer, range.startOffset, 0);
    const end = startOf(last) + unitsBefore(last, range.endContainer, range.endOffset, last.textContent.length);
    if (end > start) passages.set(page, { documentId, page, start, end });
  }
  return [...passages.values()];
}

function startOf(piece: HTMLElement): number {
  return Number(piece.dataset["start"]);
}

/** Units of a piece's text before a place of the document. @param outside where that place is not in the piece */
function unitsBefore(piece: HTMLElement, node: Node, offset: number, outside: number): number {
  if (!piece.contains(node)) return outside;
  const before = document.createRange();
  before.setStart(piece, 0);
  before.setEnd(node, offset);
  return before.toString().length;
}

/** Selects units of a page's text, which is made of such pieces. */
export function selectUnits(text: Element, { start, end }: Pick<Pin, "start" | "end">): void {
  const from = placeIn(text, start);
  const to = placeIn(text, end);
  if (from !== null && to !== null) window.getSelection()?.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
}

function placeIn(text: Element, unit: number): { readonly node: Node; readonly offset: number } | null {
  for (const piece of text.querySelectorAll<HTMLElement>("[data-start]")) {
    const offset = unit - startOf(piece);
    if (offset < 0 || offset > piece.textContent.length) continue;
    // What is found stands in an element of its own within the piece.
    let node: Node = piece;
    while (node.firstChild !== null) node = node.firstChild;
    return { node, offset };
  }
  return null;
}
