import { splitPages, textPageLength } from "../plainText.ts";

/** A run of text that stands on its own: a paragraph, a heading (1 to 6), an item of a list, a row of a table. */
export type Block = { readonly kind: "paragraph" | "heading" | "item" | "row"; readonly level: number; readonly text: string };

/** A page of a document that has none of its own: a piece of a section, with the heading it stands under. */
export type Section = { readonly title: string | null; readonly text: string };

/** Headings of these levels begin a page, unless the page before would hold next to nothing. */
const sectionLevel = 2;

/** Blocks in one text: items of a list and rows of a table on lines of their own, all else with a blank line between. */
function join(blocks: readonly Block[]): string {
  let text = "";
  let before: Block | null = null;
  for (const block of blocks) {
    if (before !== null) text += before.kind === block.kind && (block.kind === "item" || block.kind === "row") ? "\n" : "\n\n";
    text += block.text;
    before = block;
  }
  return text;
}

/**
 * Puts blocks on pages of about `length` UTF-16 units. Sections begin a page of their own where that leaves none too short; a heading never
 * ends a page; a block that is longer than a page is cut as plain text is.
 * @param title what the first page stands under before a heading comes
 */
export function paginate(blocks: readonly Block[], title: string | null = null, length: number = textPageLength): Section[] {
  const pages: Section[] = [];
  let running = title;
  let page: Block[] = [];
  let size = 0;
  const close = (): void => {
    const first = page[0];
    if (first === undefined) return;
    if (first.kind === "heading") running = first.text;
    // One block alone may be longer than a page.
    for (const text of splitPages(join(page), length)) pages.push({ title: running, text });
    running = page.reduce((latest, block) => (block.kind === "heading" ? block.text : latest), running);
    page = [];
    size = 0;
  };
  for (const block of blocks) {
    const begins = block.kind === "heading" && block.level <= sectionLevel && size > length / 3;
    const overflows = size > 0 && size + block.text.length > 1.25 * length;
    if (begins || overflows) {
      const moved = begins ? [] : trailingHeadings(page);
      page = page.slice(0, page.length - moved.length);
      close();
      page = moved;
      size = moved.reduce((sum, heading) => sum + heading.text.length, 0);
    }
    page.push(block);
    size += block.text.length;
  }
  close();
  return pages;
}

function trailingHeadings(page: readonly Block[]): Block[] {
  let from = page.length;
  while (from > 0 && page[from - 1]?.kind === "heading") from -= 1;
  // A page of headings alone is as good as any.
  return from === 0 ? [] : page.slice(from);
}
