import type { DocumentKind } from "../../contract/document.ts";
import { type Message, say } from "../../contract/said.ts";

/** What a file is by its content; `other` is refused, with what it looks like ("a PNG picture"). */
export type Sniffed =
  | { readonly kind: DocumentKind }
  /** Named as one thing, holds another. */
  | { readonly kind: "misnamed"; readonly looksLike: Message; readonly advice: Message | null }
  | { readonly kind: "other"; readonly looksLike: Message };

const textAdvice = say("adviceText");
const pictureAdvice = say("advicePicture");
const exportAdvice = say("adviceExport");
const archiveAdvice = say("adviceArchive");

const zip = say("kindZip");
const compoundFile = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/** A newer Word document is a compound file only where its package is encrypted. */
const lockedWord: Sniffed = {
  kind: "misnamed",
  looksLike: say("kindLockedWord"),
  advice: say("adviceUnlock"),
};

type Signature = { readonly at: number; readonly bytes: string; readonly looksLike: Message; readonly advice: Message | null };

/** Bytes as Latin-1 text. More particular ones come first. */
const signatures: readonly Signature[] = [
  { at: 0, bytes: "\x89PNG\r\n\x1a\n", looksLike: say("kindPicture", { format: "PNG" }), advice: pictureAdvice },
  { at: 0, bytes: "\xff\xd8\xff", looksLike: say("kindPicture", { format: "JPEG" }), advice: pictureAdvice },
  { at: 0, bytes: "GIF8", looksLike: say("kindPicture", { format: "GIF" }), advice: pictureAdvice },
  { at: 0, bytes: "II*\0", looksLike: say("kindPicture", { format: "TIFF" }), advice: pictureAdvice },
  { at: 0, bytes: "MM\0*", looksLike: say("kindPicture", { format: "TIFF" }), advice: pictureAdvice },
  { at: 8, bytes: "WEBP", looksLike: say("kindPicture", { format: "WebP" }), advice: pictureAdvice },
  { at: 4, bytes: "ftypheic", looksLike: say("kindPicture", { format: "HEIC" }), advice: pictureAdvice },
  { at: 4, bytes: "ftyp", looksLike: say("kindFilm"), advice: null },
  { at: 0, bytes: "PK\x03\x04", looksLike: zip, advice: archiveAdvice },
  { at: 0, bytes: compoundFile, looksLike: say("kindOlderOffice"), advice: exportAdvice },
  { at: 0, bytes: "{\\rtf", looksLike: say("kindRtf"), advice: exportAdvice },
  { at: 0, bytes: "%!PS", looksLike: say("kindPostScript"), advice: say("adviceConvert") },
  { at: 0, bytes: "\x1f\x8b", looksLike: say("kindArchive", { format: "gzip" }), advice: archiveAdvice },
  { at: 0, bytes: "7z\xbc\xaf\x27\x1c", looksLike: say("kindArchive", { format: "7z" }), advice: archiveAdvice },
  { at: 0, bytes: "Rar!\x1a\x07", looksLike: say("kindArchive", { format: "RAR" }), advice: archiveAdvice },
  { at: 0, bytes: "BZh", looksLike: say("kindArchive", { format: "bzip2" }), advice: archiveAdvice },
  { at: 0, bytes: "\xfd7zXZ\0", looksLike: say("kindXz"), advice: archiveAdvice },
  { at: 0, bytes: "\x7fELF", looksLike: say("kindProgram"), advice: null },
  { at: 0, bytes: "GGUF", looksLike: say("kindModel"), advice: say("adviceModel") },
  { at: 0, bytes: "SQLite format 3\0", looksLike: say("kindDatabase"), advice: null },
];

/** Contents of zip archives that are documents of their own. */
const packed: readonly { readonly mark: string; readonly looksLike: Message }[] = [
  { mark: "application/vnd.oasis.opendocument", looksLike: say("kindOpenDocument") },
  { mark: "xl/", looksLike: say("kindWorkbook") },
  { mark: "ppt/", looksLike: say("kindPresentation") },
  { mark: "[Content_Types].xml", looksLike: say("kindOffice") },
];

export function extensionOf(name: string): string {
  return /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** The first 64 KiB decide; enough for every signature and to tell text from other bytes. */
const looked = 65_536;

/**
 * Decides what a file is, by content first and by name second.
 * @param bytes the file's bytes, at least its first 64 KiB; not empty.
 */
export function sniff(bytes: Uint8Array, name: string): Sniffed {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, looked));
  const latin = head.toString("latin1");
  const extension = extensionOf(name);
  const namedPdf = extension === "pdf";
  const start = latin.replace(/^\xef\xbb\xbf/, "").trimStart();
  // Mail programs and scanners put bytes before the header, which readers look for in the first KiB; text may speak of it.
  if (start.startsWith("%PDF-") || (namedPdf && latin.slice(0, 1024).includes("%PDF-"))) return { kind: "pdf" };

  const found = signatures.find(({ at, bytes: expected }) => latin.startsWith(expected, at));
  if (found !== undefined) {
    const opened = found.looksLike === zip ? packedKind(bytes, extension) : null;
    if (opened !== null) return { kind: opened };
    if (found.bytes === compoundFile && extension.startsWith("doc") && extension !== "doc") return lockedWord;
    const looksLike =
      found.looksLike === zip ? (packed.find(({ mark }) => latin.includes(mark))?.looksLike ?? found.looksLike) : found.looksLike;
    const advice = looksLike === found.looksLike ? found.advice : exportAdvice;
    return { kind: "misnamed", looksLike, advice };
  }
  const text = looksLikeText(head);
  if (namedPdf) {
    if (!text) return { kind: "pdf" };
    if (htmlStart.test(start)) {
      return {
        kind: "misnamed",
        looksLike: say("kindWebPage"),
        advice: say("adviceDownload"),
      };
    }
    // PDFs whose header is lost still hold their objects.
    if (/\b\d+ \d+ obj\b/.test(latin)) return { kind: "pdf" };
    return { kind: "misnamed", looksLike: say("kindText"), advice: textAdvice };
  }
  if (!text) return { kind: "other", looksLike: say("kindUnknown") };
  if (htmlNames.includes(extension) || (!textNames.includes(extension) && htmlStart.test(start))) return { kind: "html" };
  return { kind: extension === "md" || extension === "markdown" ? "markdown" : "text" };
}

/** What of ours a zip archive is, by the names at its begin and in the directory at its end; what is neither is refused by its name. */
function packedKind(bytes: Uint8Array, extension: string): "docx" | "epub" | null {
  const tail = bytes.subarray(Math.max(0, bytes.byteLength - looked));
  const names = [bytes.subarray(0, looked), tail].map((part) => Buffer.from(part).toString("latin1")).join("");
  if (names.includes("application/epub+zip") || (extension === "epub" && names.includes("META-INF/"))) return "epub";
  const otherOffice = names.includes("xl/workbook") || names.includes("ppt/presentation");
  return names.includes("word/document") && !otherOffice ? "docx" : null;
}

const htmlStart = /^(?:<!doctype html|<html|<head|<\?xml[^>]*>\s*<(?:!doctype )?html)/i;
const htmlNames = ["html", "htm", "xhtml", "xht"];
/** Names that say that the text itself is meant. */
const textNames = ["txt", "text", "md", "markdown"];

/** True for UTF-16 with its mark and for bytes without the control characters that text has none of. */
function looksLikeText(head: Buffer): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true;
  let controls = 0;
  for (const byte of head) {
    if (byte === 0) return false;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b) controls += 1;
  }
  return controls <= head.byteLength / 200;
}
