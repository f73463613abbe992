import { Parser } from "htmlparser2";
import type { Block } from "./blocks.ts";
import { withoutDoctype } from "./doctype.ts";
import { localName } from "./xml.ts";

/** The text of a page of HTML, and what it calls itself. */
export type HtmlText = { readonly title: string | null; readonly blocks: readonly Block[] };

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Elements whose content is no text of the document, or not text at all. Nothing in them runs or is fetched: they are not looked at. */
const silent = words(
  "script style noscript template svg math iframe object embed audio video canvas map select textarea button datalist rp rt frameset",
);
/** Elements that begin and end a paragraph. */
const blockNames = words(
  "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup hr html legend main menu nav ol p section summary table tbody tfoot thead ul caption li tr pre h1 h2 h3 h4 h5 h6",
);
const voidNames = words("area base br col embed hr img input link meta param source track wbr");
const headings = /^h([1-6])$/;
/** What hides an element in its own style; style sheets are not read. */
const hiddenStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

const cellMark = " | ";

type List = { readonly ordered: boolean; next: number };

/**
 * The text of a page of HTML or XHTML as one reads it: paragraphs, headings, items with their bullets or numbers, rows of tables with their
 * cells set off by bars. Markup is read in one pass without a tree, so that neither depth nor size of a page costs more than its bytes.
 */
export function htmlBlocks(html: string): HtmlText {
  const walk = createWalk();
  const parser = new Parser(walk.handler, { decodeEntities: true, recognizeSelfClosing: true, recognizeCDATA: true });
  parser.write(withoutDoctype(html));
  parser.end();
  return walk.end();
}

function createWalk() {
  const blocks: Block[] = [];
  let title: string | null = null;
  let text = "";
  /** A break or a space that counts only if more text follows. */
  let pending = "";
  /** The bullet or number that the next text of an item begins with. */
  let marker = "";
  let kind: Block["kind"] = "paragraph";
  let level = 0;
  const lists: List[] = [];
  let silence = 0;
  let preformatted = 0;
  let cells = 0;
  let cellsOfRow = 0;
  let titleDepth = 0;

  const flush = (): void => {
    // Line by line: a pattern would try each of a thousand blanks anew.
    const finished = text
      .split("\n")
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd();
    if (finished.trim() !== "") blocks.push({ kind, level, text: finished });
    text = "";
    pending = "";
    kind = "paragraph";
    level = 0;
  };
  const add = (words: string): void => {
    if (words === "") return;
    if (text === "" && marker !== "") {
      text = marker;
      marker = "";
      kind = "item";
    } else if (text !== "") text += pending;
    pending = "";
    text += words;
  };
  const addCollapsed = (data: string): void => {
    const collapsed = data.replace(/\u00ad/g, "").replace(/[\s\u00a0]+/g, " ");
    const core = collapsed.trim();
    if (collapsed.startsWith(" ") && pending === "") pending = " ";
    if (core === "") return;
    add(core);
    if (collapsed.endsWith(" ")) pending = " ";
  };
  /** A boundary between blocks; inside a table's cell only a new line, since the row goes on. */
  const boundary = (): void => {
    if (cells === 0) flush();
    else if (text !== "" && !text.endsWith(cellMark)) pending = "\n";
  };

  const open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (blockNames.has(name)) boundary();
    const heading = headings.exec(name);
    if (heading !== null && cells === 0) {
      kind = "heading";
      level = Number(heading[1]);
    } else if (name === "ol") {
      const start = Number(attributes["start"] ?? 1);
      lists.push({ ordered: true, next: Number.isInteger(start) ? start : 1 });
    } else if (name === "ul" || name === "menu") lists.push({ ordered: false, next: 1 });
    else if (name === "li") {
      const list = lists.at(-1);
      const indent = "  ".repeat(Math.min(8, Math.max(0, lists.length - 1)));
      marker = list?.ordered === true ? `${indent}${list.next}. ` : `${indent}- `;
      if (list !== undefined) list.next += 1;
    } else if (name === "pre") preformatted += 1;
    else if (name === "tr") cellsOfRow = 0;
    else if (name === "td" || name === "th") {
      if (cells === 0 && cellsOfRow > 0) {
        text += cellMark;
        pending = "";
      }
      if (cells === 0) {
        kind = "row";
        cellsOfRow += 1;
      }
      cells += 1;
    } else if (name === "br") pending = "\n";
    else if (name === "img" && (attributes["alt"] ?? "").trim() !== "") addCollapsed(`[${attributes["alt"]}]`);
    else if (name === "q") add("“");
  };
  const close = (name: string): void => {
    if (name === "td" || name === "th") {
      cells = Math.max(0, cells - 1);
      pending = "";
      return;
    }
    if (name === "q") text += "”";
    if (blockNames.has(name)) boundary();
    if (name === "ol" || name === "ul" || name === "menu") lists.pop();
    else if (name === "li") marker = "";
    else if (name === "pre") preformatted = Math.max(0, preformatted - 1);
  };

  const handler = {
    onopentag: (prefixed: string, attributes: Readonly<Record<string, string>>): void => {
      const name = localName(prefixed);
      if (silence > 0 || silent.has(name) || isHidden(attributes)) {
        // An element without an end has no inside.
        if (!voidNames.has(name)) silence += 1;
      } else if (name === "title") titleDepth += 1;
      else open(name, attributes);
    },
    onclosetag: (prefixed: string): void => {
      const name = localName(prefixed);
      if (silence > 0) {
        if (!voidNames.has(name)) silence -= 1;
      } else if (name === "title") titleDepth = Math.max(0, titleDepth - 1);
      else if (!voidNames.has(name)) close(name);
    },
    ontext: (data: string): void => {
      if (silence > 0) return;
      if (titleDepth > 0) title = `${title ?? ""}${data}`;
      else if (preformatted > 0) {
        // What a row or item begins with stays on its line.
        const lines = data.replace(/\r\n?/g, "\n");
        add(text === "" ? lines.replace(/^\n/, "") : lines);
      } else addCollapsed(data);
    },
  };
  return {
    handler,
    end: (): HtmlText => {
      flush();
      const named = title?.replace(/\s+/g, " ").trim() ?? "";
      return { title: named === "" ? null : named, blocks };
    },
  };
}

function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  return attributes["hidden"] !== undefined || hiddenStyle.test(attributes["style"] ?? "");
}
