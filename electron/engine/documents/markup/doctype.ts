/**
 * Markup without its document type declaration. What stands in one's internal subset (`<!DOCTYPE html [ <!ENTITY … > ]>`) is no text of the
 * document, but a parser of HTML takes the declaration for ended at the first `>` in it. No entity is looked at.
 */
export function withoutDoctype(markup: string): string {
  const from = afterProlog(markup);
  if (!/^<!doctype\b/i.test(markup.slice(from, from + 10))) return markup;
  const to = endOfDoctype(markup, from);
  return to === null ? markup : markup.slice(0, from) + markup.slice(to);
}

/** Where blanks, comments and instructions at the begin end. */
function afterProlog(markup: string): number {
  let at = 0;
  while (at < markup.length) {
    if (/\s/.test(markup.charAt(at))) at += 1;
    else if (markup.startsWith("<!--", at)) at = after(markup, "-->", at);
    else if (markup.startsWith("<?", at)) at = after(markup, ">", at);
    else break;
  }
  return at;
}

/** @returns null where the declaration has no end */
function endOfDoctype(markup: string, from: number): number | null {
  let isInSubset = false;
  let at = from + "<!doctype".length;
  while (at < markup.length) {
    const character = markup.charAt(at);
    // A stray quotation mark outside the subset is for the parser to forgive.
    if (isInSubset && (character === '"' || character === "'")) at = after(markup, character, at + 1);
    else if (isInSubset && markup.startsWith("<!--", at)) at = after(markup, "-->", at);
    else if (isInSubset && markup.startsWith("<?", at)) at = after(markup, "?>", at);
    else {
      if (character === "[") isInSubset = true;
      else if (character === "]") isInSubset = false;
      else if (character === ">" && !isInSubset) return at + 1;
      at += 1;
    }
  }
  return null;
}

function after(markup: string, mark: string, from: number): number {
  const found = markup.indexOf(mark, from);
  return found === -1 ? markup.length : found + mark.length;
}
