/** The beginning of a text on one line, of at most so many characters, cut between words where it has any: "The seal keeps…" */
export function firstWords(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1);
  const end = cut.lastIndexOf(" ");
  // A word that fills half of it is cut all the same.
  return `${(end > most / 2 ? cut.slice(0, end) : cut).replace(/[\s,;:–-]+$/u, "")}…`;
}
