import { LongsightError } from "../../contract/errors.ts";
import { amountOf } from "../amounts.ts";

/**
 * Pages named as people do ("3-20,25", "7-", "-4"), as ascending numbers without repeats.
 * @throws LongsightError document-pages, naming what is wrong with which part.
 */
export function parsePageRange(text: string, pageCount: number, fileName: string): number[] {
  const wrong = (what: string): LongsightError =>
    new LongsightError("document-pages", `The pages “${text}” of “${fileName}” were not understood: ${what} Write them like 3-20,25.`);
  const pages = new Set<number>();
  for (const part of text.split(",")) {
    const range = part.trim();
    if (range === "") throw wrong("there is nothing between two commas, or nothing at all.");
    const match = /^(?:(\d+)|(\d+)\s*[-–]\s*(\d+)?|[-–]\s*(\d+))$/.exec(range);
    if (match === null) throw wrong(`“${range}” is neither a page number nor a range.`);
    const [, single, first, last, upTo] = match;
    const from = Number(single ?? first ?? 1);
    const to = Number(single ?? last ?? upTo ?? pageCount);
    if (from < 1) throw wrong("pages are counted from 1.");
    const beyond = Math.max(from, to);
    if (beyond > pageCount) {
      throw new LongsightError(
        "document-pages",
        `“${fileName}” has ${amountOf(pageCount, "page")}, so there is no page ${beyond} as asked for by “${range}”. Choose pages from 1 to ${pageCount}.`,
      );
    }
    if (to < from) throw wrong(`the range “${range}” ends before it starts.`);
    for (let page = from; page <= to; page += 1) pages.add(page);
  }
  return [...pages].sort((one, other) => one - other);
}
