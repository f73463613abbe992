/**
 * LongProc's HTML to TSV: F1 of the rows of a table, in any order, 0 … 1. Rows count as equal when their cells are, without case and extra
 * blanks; one that stands there twice has to be there twice. The header does not count.
 * @param answer with the table in a fence of ```tsv, or to its end where the fence was left open, or bare
 * @param right the table, its header first
 */
export function rowF1(answer: string, right: string): number {
  const [header = "", ...wanted] = rowsOf(right);
  const rows = rowsOf(tableOf(answer));
  const own = rows[0] === header ? rows.slice(1) : rows;
  const left = new Map<string, number>();
  for (const row of wanted) left.set(row, (left.get(row) ?? 0) + 1);
  let shared = 0;
  for (const row of own) {
    const count = left.get(row) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(row, count - 1);
  }
  return shared === 0 ? 0 : (2 * shared) / (own.length + wanted.length);
}

function tableOf(answer: string): string {
  const [, fenced] = /```(?:tsv)?[^\S\n]*\n([\s\S]*?)(?:```|$)/.exec(answer) ?? [];
  return fenced ?? answer;
}

function rowsOf(table: string): string[] {
  return table
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) =>
      line
        .split("\t")
        .map((cell) => cell.trim().toLowerCase().replace(/\s+/g, " "))
        .join("\t"),
    );
}
