/**
 * Where a quotation stands in a text: its words as they are, any run of blanks and line ends between them being as good as any other.
 * Places may overlap.
 * @param most places to look for
 * @returns ranges in UTF-16 units, ascending; none for a quotation without words
 */
export function findQuote(text: string, quotation: string, most: number): { readonly start: number; readonly end: number }[] {
  const words = quotation.split(/\s+/).filter((word) => word !== "");
  const [first] = words;
  if (first === undefined) return [];
  const found: { start: number; end: number }[] = [];
  for (let at = text.indexOf(first); at >= 0 && found.length < most; at = text.indexOf(first, at + 1)) {
    const end = endOf(text, at, words);
    if (end !== null) found.push({ start: at, end });
  }
  return found;
}

/** Where the words end that begin at a place; null where they do not stand there. */
function endOf(text: string, start: number, words: readonly string[]): number | null {
  let at = start;
  for (const [index, word] of words.entries()) {
    if (index > 0) {
      const blanks = at;
      while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
      if (at === blanks) return null;
    }
    if (!text.startsWith(word, at)) return null;
    at += word.length;
  }
  return at;
}
