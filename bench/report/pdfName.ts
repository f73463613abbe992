/** Letters that a plot has room for. */
const mostLetters = 26;

/** A PDF's name as a plot has room for it: without the project that it is of, and without its ending. */
export function shortName(name: string): string {
  const own = (name.split("__").at(-1) ?? name).replace(/\.pdf$/i, "");
  return own.length > mostLetters ? `${own.slice(0, mostLetters - 1)}…` : own;
}
