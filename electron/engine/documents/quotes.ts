/**
 * Where a quotation stands in a text: its words as they are, any run of blanks and line ends between them being as good as any other.
 * Places may overlap.
 * @param most places to look for
 * @returns ranges in UTF-16 units, ascending; none for a quotation without words
 */
export function findQuote(text: string, quotation: string, most: number): { readonly start: number; readonly end: number }[] {
  const words = quotation.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [];
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+"), "g");
  const found: { start: number; end: number }[] = [];
  for (let match = pattern.exec(text); match !== null && found.length < most; match = pattern.exec(text)) {
    found.push({ start: match.index, end: match.index + match[0].length });
    // One further on, so that places that overlap are found as well.
    pattern.lastIndex = match.index + 1;
  }
  return found;
}
