import { normalised } from "../../answers/tokenF1.ts";

/**
 * LongProc's HTML to TSV (its repository's evaluator): F1 of the share of an answer's rows that are right and the share of the right rows
 * that are there, in any order, 0 … 1. Cells are compared without case, punctuation, articles and blanks. The first line is the header, whatever it
 * says, and does not count; a row with another number of cells than it is wrong, but a last one is passed over as unfinished.
 * @param answer with the table in a fence of ```tsv, or to its end where the fence was left open, or bare
 * @param right the table, its header first
 */
export function rowF1(answer: string, right: string): number {
  const [wanted, own] = [rowsOf(right), rowsOf(tableOf(answer))];
  const shareIn = (rows: readonly string[], others: readonly string[]) => rows.filter((row) => others.includes(row)).length / rows.length;
  if (own.length === 0 || wanted.length === 0) return 0;
  const [precision, recall] = [shareIn(own, wanted), shareIn(wanted, own)];
  return precision === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

function tableOf(answer: string): string {
  const [, fenced] = /```(?:tsv)?[^\S\n]*\n([\s\S]*?)(?:```|$)/.exec(answer) ?? [];
  return fenced ?? answer;
}

/** The rows behind the header, each cell as it is compared. Rows of tables of another width are equal to none. */
function rowsOf(table: string): string[] {
  const [header = [], ...rows] = table
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  const isWhole = (row: readonly string[] | undefined) => row?.length === header.length;
  return rows
    .filter((row, index) => index < rows.length - 1 || isWhole(row))
    .map((row) => (isWhole(row) ? row.map((cell) => normalised(cell).join("")).join("\t") : unequal));
}

/** No normalised cell has a line's end. */
const unequal = "\n";
