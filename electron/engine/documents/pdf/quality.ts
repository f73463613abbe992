import type { PageFlag, PageSummary } from "../../../contract/document.ts";
import { type Message, say } from "../../../contract/said.ts";

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
function named(numbers: readonly number[], total: number): Message {
  if (numbers.length === total || numbers.length > 6) return say("pagesOfAll", { part: numbers.length, count: total });
  const [first] = numbers;
  return numbers.length === 1 && first !== undefined ? say("pageNumber", { page: first }) : say("pageNumbers", { pages: numbers });
}

/** One plain sentence or two for each thing to know before asking. */
export function noticesFor(pages: readonly Pick<PageSummary, "page" | "flags">[], brokenPages: readonly number[]): Message[] {
  const notices: Message[] = [];
  const total = pages.length;
  const recognised = pagesWith(pages, "recognised");
  const silent = pagesWith(pages, "no-text").filter((page) => !brokenPages.includes(page));
  if (silent.length > 0) {
    const what = silent.length === total ? "looksLikeScan" : silent.length === 1 ? "pageIsEmpty" : "pagesAreEmpty";
    // Where recognition found nothing, there is nothing more to offer.
    const advice = silent.every((page) => recognised.includes(page)) ? "noLettersFound" : "canBeRecognised";
    notices.push(say("noTextOnPages", { pages: named(silent, total), what: say(what), advice: say(advice) }));
  }
  const read = recognised.filter((page) => !silent.includes(page));
  if (read.length > 0) notices.push(say("textWasRecognised", { pages: named(read, total) }));
  const unreadable = pagesWith(pages, "unreadable");
  if (unreadable.length > 0) {
    notices.push(say("textUnreadable", { pages: named(unreadable, total) }));
  }
  if (brokenPages.length > 0) {
    notices.push(say("pagesBroken", { pages: named(brokenPages, total) }));
  }
  return notices;
}
