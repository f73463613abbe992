/** A conversation's title until the person gives it one: the first question's first line, cut at a word. */
export function titleOf(question: string): string {
  const line = question.trim().split("\n")[0]?.trim() ?? "";
  // By characters: half a surrogate pair is none.
  const characters = Array.from(line);
  if (characters.length <= 60) return line;
  const cut = characters.slice(0, 60).join("");
  const space = cut.lastIndexOf(" ");
  return `${space > 30 ? cut.slice(0, space) : cut}…`;
}
