import type { DocumentChoice } from "../../electron/contract/document.ts";

export type PageRange =
  | { readonly ok: true; readonly pages: number[] | null }
  | { readonly ok: false; readonly reason: "syntax" | "outside" };

/**
 * Reads "1-20, 25, 30-": pages of a document of `count` pages, ascending and without repeats. Empty text is the whole
 * document (`null`), and so is a range that names every page.
 */
export function parsePageRange(text: string, count: number): PageRange {
  if (text.trim() === "") return { ok: true, pages: null };
  const pages = new Set<number>();
  for (const part of text.split(/[,;]/)) {
    if (part.trim() === "") continue;
    const match = /^\s*(\d{1,7})\s*(?:([-–])\s*(\d{1,7})?)?\s*$/.exec(part);
    if (match === null) return { ok: false, reason: "syntax" };
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : match[3] === undefined ? count : Number(match[3]);
    if (first > last) return { ok: false, reason: "syntax" };
    if (first < 1 || last > count) return { ok: false, reason: "outside" };
    for (let page = first; page <= last; page += 1) pages.add(page);
  }
  if (pages.size === 0) return { ok: false, reason: "syntax" };
  if (pages.size === count) return { ok: true, pages: null };
  return { ok: true, pages: [...pages].sort((a, b) => a - b) };
}

/** Pages as text that {@link parsePageRange} reads back: "1–20, 25". */
export function formatPageRange(pages: DocumentChoice["pages"]): string {
  if (pages === null) return "";
  const parts: string[] = [];
  let start: number | null = null;
  let previous: number | null = null;
  for (const page of [...pages, null]) {
    if (start !== null && previous !== null && page === previous + 1) {
      previous = page;
      continue;
    }
    if (start !== null && previous !== null) parts.push(start === previous ? `${start}` : `${start}–${previous}`);
    start = page;
    previous = page;
  }
  return parts.join(", ");
}
