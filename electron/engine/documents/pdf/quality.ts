import type { PageFlag, PageSummary } from "../../../contract/document.ts";
import { amountOf } from "../../amounts.ts";

// Private use, replacement and control characters: what a font without a way back to letters leaves.
const broken = /[\p{Co}\p{Cc}\ufffd]/u;

/** Flags that a page's text alone decides. */
export function textFlags(text: string): PageFlag[] {
  let visible = 0;
  let unreadable = 0;
  for (const character of text) {
    if (/\s/.test(character)) continue;
    visible += 1;
    if (broken.test(character)) unreadable += 1;
  }
  if (visible === 0) return ["no-text"];
  return unreadable > 0.3 * visible ? ["unreadable"] : [];
}

function pagesWith(pages: readonly Pick<PageSummary, "page" | "flags">[], flag: PageFlag): number[] {
  return pages.filter((page) => page.flags.includes(flag)).map((page) => page.page);
}

/** Pages by number where there are few of them, else by count: "page 2", "pages 2 and 5", "12 of 40 pages". */
function named(numbers: readonly number[], total: number): string {
  if (numbers.length === total || numbers.length > 6) return `${numbers.length} of ${amountOf(total, "page")}`;
  if (numbers.length === 1) return `page ${numbers[0]}`;
  return `pages ${numbers.slice(0, -1).join(", ")} and ${numbers[numbers.length - 1]}`;
}

/** One plain sentence or two for each thing to know before asking. */
export function noticesFor(pages: readonly Pick<PageSummary, "page" | "flags">[], brokenPages: readonly number[]): string[] {
  const notices: string[] = [];
  const total = pages.length;
  const recognised = pagesWith(pages, "recognised");
  const silent = pagesWith(pages, "no-text").filter((page) => !brokenPages.includes(page));
  if (silent.length > 0) {
    const what =
      silent.length === total ? "this looks like a scan" : silent.length === 1 ? "it is empty or a picture" : "they are empty or pictures";
    // Where recognition found nothing, there is nothing more to offer.
    const advice = silent.every((page) => recognised.includes(page))
      ? "No letters were found in its picture."
      : "Its text can be recognised.";
    notices.push(`No text on ${named(silent, total)}: ${what}. ${advice}`);
  }
  const read = recognised.filter((page) => !silent.includes(page));
  if (read.length > 0) notices.push(`The text on ${named(read, total)} was recognised in pictures: letters may be wrong.`);
  const unreadable = pagesWith(pages, "unreadable");
  if (unreadable.length > 0) {
    notices.push(`The text on ${named(unreadable, total)} may be unreadable: most of its characters do not say which letters they are.`);
  }
  if (brokenPages.length > 0) {
    notices.push(`Longsight could not read ${named(brokenPages, total)}: the file is damaged there. The other pages can be used.`);
  }
  return notices;
}
