import type { PageFlag } from "../../../contract/document.ts";
import { noticesOf } from "../../../contract/said.ts";
import type { OpenedDocument, PageContent } from "../documents.ts";
import { noticesFor, textFlags } from "../pdf/quality.ts";
import type { RecognisedPages } from "./recognisedFiles.ts";

/** The document with what was read out of its pictures as the text of those pages. */
export function withRecognised(document: OpenedDocument, placed: RecognisedPages): OpenedDocument {
  if (placed.size === 0) return document;
  const pages = document.pages.map((page): PageContent => {
    const text = placed.get(page.page)?.text;
    if (text === undefined || !isPicture(page)) return page;
    const flags: PageFlag[] = [...page.flags.filter((flag) => flag === "rotated"), ...textFlags(text), "recognised"];
    return { ...page, text, characters: text.length, flags };
  });
  const characters = pages.reduce((sum, page) => sum + page.characters, 0);
  return { ...document, pages, characters, ...noticesOf(noticesFor(pages, document.brokenPages ?? [])) };
}

/** Pages that are pictures as far as the file goes, recognised or not. */
export function isPicture(page: Pick<PageContent, "flags">): boolean {
  return page.flags.includes("no-text") || page.flags.includes("recognised");
}

/** The pages to recognise: those that were not yet; all pictures again where none is left, for instance in another language. */
export function pagesToRecognise(document: OpenedDocument): readonly PageContent[] {
  const broken = document.brokenPages ?? [];
  const pictures = document.pages.filter((page) => isPicture(page) && !broken.includes(page.page));
  const fresh = pictures.filter((page) => !page.flags.includes("recognised"));
  return fresh.length > 0 ? fresh : pictures;
}
