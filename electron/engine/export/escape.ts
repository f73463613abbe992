/** Text as HTML shows it, unit for unit: a carriage return would be read as a line end, and a zero dropped. */
export function escapedHtml(text: string): string {
  return text.replace(/\0/g, "\ufffd").replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Markdown of unknown origin with everything taken out that could do more than look: HTML, pictures (an address could carry words out), links
 * to anything but the web, definitions. Character references do this, since unlike a backslash they cannot be undone by what stands before
 * them. Inside code they are seen as they are.
 */
export function tamedMarkdown(text: string): string {
  return text
    .replace(/\0/g, "\ufffd")
    .replace(/\r\n?/g, "\n")
    .replace(/</g, "&lt;")
    .replace(/!(?=\[)/g, "&#33;")
    .replace(/\]:/g, "]&#58;")
    .replace(/\]\((?!\s*(?:https?:\/\/|mailto:))/gi, "]&#40;");
}

/** A text of unknown origin that is to be read as it stands: nothing in it is Markdown. */
export function plainMarkdown(text: string): string {
  const reference = (character: string) => `&#${character.charCodeAt(0)};`;
  return (
    text
      .replace(/\0/g, "\ufffd")
      .replace(/\r\n?/g, "\n")
      .replace(/[&<>\\`*_[\]|~]/g, reference)
      // What begins a heading, a list or a line under a heading does so at the beginning of a line alone.
      .replace(/^([^\S\n]*)([#+=-])/gm, (_, blanks: string, sign: string) => blanks + reference(sign))
      .replace(/^([^\S\n]*\d+)([.)])/gm, (_, number: string, sign: string) => number + reference(sign))
  );
}

/** Puts a text behind a mark on each of its lines, so that none of them can begin anything else. */
export function quotedMarkdown(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}
