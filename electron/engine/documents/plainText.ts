import { type Message, say } from "../../contract/said.ts";

/** Text as decoded, with what to tell the person about it. */
export type DecodedText = { readonly text: string; readonly notices: readonly Message[] };

/** Windows-1252's characters for 0x80 to 0x9f; the others are those of Latin-1. */
const windows1252 = "€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ";

/**
 * Decodes a text file: UTF-8 or UTF-16 by its mark, else UTF-8 where it is valid, else Windows-1252, which says so. Line ends become "\n".
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const { text, notices } = decodeBytes(bytes);
  return { text: text.replace(/\r\n?/g, "\n"), notices };
}

function decodeBytes(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes), notices: [] };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: decodeBigEndian(bytes), notices: [] };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), notices: [] };
  } catch {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString("latin1")
      .replace(/[\x80-\x9f]/g, (character) => windows1252.charAt(character.charCodeAt(0) - 0x80));
    return {
      text,
      notices: [say("notUtf8")],
    };
  }
}

/** Node may be built without the big-endian decoder (small ICU), so the bytes are turned round. */
function decodeBigEndian(bytes: Uint8Array): string {
  const turned = Buffer.from(bytes.subarray(0, bytes.byteLength & ~1)).swap16();
  return new TextDecoder("utf-16le").decode(turned);
}

/** Largest text in bytes: some sixteen million tokens, far beyond any model, and well within one string. */
export const largestTextBytes = 64 * 1_048_576;

/** Characters a page of a text file has about. */
export const textPageLength = 3000;

/** A4 in points: the size of a text file's pages. */
export const textPageSize = { width: 595, height: 842 } as const;

/**
 * Cuts text into pages of about `length` UTF-16 units: at form feeds; then after the paragraph that reaches the length; a paragraph that
 * is much longer is cut at a line end, a sentence's end or a space. Blank lines around a page are dropped, nothing else.
 */
export function splitPages(text: string, length: number = textPageLength): string[] {
  const pages: string[] = [];
  for (const sheet of text.split("\f")) {
    let from = afterBlankLines(sheet, 0, length);
    while (from < sheet.length) {
      const cut = sheet.length - from > 1.5 * length ? cutAt(sheet.slice(from, from + 2 * length), length) : sheet.length - from;
      const page = sheet.slice(from, from + cut).trimEnd();
      if (page !== "") pages.push(page);
      from = afterBlankLines(sheet, from + cut, length);
    }
  }
  return pages.length === 0 ? [""] : pages;
}

/** Where the first line with something on it begins. Looks only a page ahead: a file may be one long run of blanks. */
function afterBlankLines(text: string, from: number, length: number): number {
  let lineStart = from;
  for (let at = from; at < Math.min(text.length, from + length); at++) {
    const character = text.charAt(at);
    if (character === "\n") lineStart = at + 1;
    else if (!/\s/.test(character)) return lineStart;
  }
  return lineStart;
}

/** Where to end a page: the best end within half a page around the length. */
function cutAt(text: string, length: number): number {
  const from = Math.floor(length / 2);
  const window = text.slice(from, Math.floor(1.5 * length));
  for (const end of [/\n[^\S\n]*\n/g, /\n/g, /[.!?。！？]["'”’)]?\s|[。！？]/g, /\s/g]) {
    const nearest = nearestEnd(window, end, length - from);
    if (nearest !== null) return from + nearest;
  }
  // Not between the halves of one character.
  const unit = text.charCodeAt(length);
  return unit >= 0xdc00 && unit < 0xe000 ? length - 1 : length;
}

function nearestEnd(window: string, end: RegExp, wanted: number): number | null {
  let nearest: number | null = null;
  for (const match of window.matchAll(end)) {
    const place = match.index + match[0].length;
    if (nearest === null || Math.abs(place - wanted) < Math.abs(nearest - wanted)) nearest = place;
  }
  return nearest;
}
