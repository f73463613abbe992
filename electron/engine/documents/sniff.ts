import type { DocumentKind } from "../../contract/document.ts";

/** What a file is by its content; `other` is refused, with what it looks like for the sentence ("a PNG picture"). */
export type Sniffed =
  | { readonly kind: DocumentKind }
  /** Named as one thing, holds another. */
  | { readonly kind: "misnamed"; readonly looksLike: string; readonly advice: string }
  | { readonly kind: "other"; readonly looksLike: string };

const textAdvice = "Rename it to .txt and open it again.";
const pictureAdvice = "Longsight cannot read pictures yet.";
const exportAdvice = "Open it in the program it comes from and save it as PDF.";
const archiveAdvice = "Unpack it and open the files inside.";

const compoundFile = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/** A newer Word document is a compound file only where its package is encrypted. */
const lockedWord: Sniffed = {
  kind: "misnamed",
  looksLike: "a Word document that is locked with a password",
  advice: "Open it in Word, take the password out and save it again.",
};

type Signature = { readonly at: number; readonly bytes: string; readonly looksLike: string; readonly advice: string };

/** Bytes as Latin-1 text. More particular ones come first. */
const signatures: readonly Signature[] = [
  { at: 0, bytes: "\x89PNG\r\n\x1a\n", looksLike: "a PNG picture", advice: pictureAdvice },
  { at: 0, bytes: "\xff\xd8\xff", looksLike: "a JPEG picture", advice: pictureAdvice },
  { at: 0, bytes: "GIF8", looksLike: "a GIF picture", advice: pictureAdvice },
  { at: 0, bytes: "II*\0", looksLike: "a TIFF picture", advice: pictureAdvice },
  { at: 0, bytes: "MM\0*", looksLike: "a TIFF picture", advice: pictureAdvice },
  { at: 8, bytes: "WEBP", looksLike: "a WebP picture", advice: pictureAdvice },
  { at: 4, bytes: "ftypheic", looksLike: "a HEIC picture", advice: pictureAdvice },
  { at: 4, bytes: "ftyp", looksLike: "a film or sound file", advice: "" },
  { at: 0, bytes: "PK\x03\x04", looksLike: "a zip archive", advice: archiveAdvice },
  { at: 0, bytes: compoundFile, looksLike: "an older Word, Excel or PowerPoint file", advice: exportAdvice },
  { at: 0, bytes: "{\\rtf", looksLike: "a rich text (RTF) file", advice: exportAdvice },
  { at: 0, bytes: "%!PS", looksLike: "a PostScript file", advice: "Convert it to PDF and open that." },
  { at: 0, bytes: "\x1f\x8b", looksLike: "a gzip archive", advice: archiveAdvice },
  { at: 0, bytes: "7z\xbc\xaf\x27\x1c", looksLike: "a 7z archive", advice: archiveAdvice },
  { at: 0, bytes: "Rar!\x1a\x07", looksLike: "a RAR archive", advice: archiveAdvice },
  { at: 0, bytes: "BZh", looksLike: "a bzip2 archive", advice: archiveAdvice },
  { at: 0, bytes: "\xfd7zXZ\0", looksLike: "an xz archive", advice: archiveAdvice },
  { at: 0, bytes: "\x7fELF", looksLike: "a program", advice: "" },
  { at: 0, bytes: "GGUF", looksLike: "a model file", advice: "Choose it as the model instead." },
  { at: 0, bytes: "SQLite format 3\0", looksLike: "a database", advice: "" },
];

/** Contents of zip archives that are documents of their own. */
const packed: readonly { readonly mark: string; readonly looksLike: string }[] = [
  { mark: "application/vnd.oasis.opendocument", looksLike: "an OpenDocument file" },
  { mark: "xl/", looksLike: "an Excel workbook" },
  { mark: "ppt/", looksLike: "a PowerPoint presentation" },
  { mark: "[Content_Types].xml", looksLike: "a Word, Excel or PowerPoint file" },
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
    const opened = found.looksLike === "a zip archive" ? packedKind(bytes, extension) : null;
    if (opened !== null) return { kind: opened };
    if (found.bytes === compoundFile && extension.startsWith("doc") && extension !== "doc") return lockedWord;
    const looksLike =
      found.looksLike === "a zip archive"
        ? (packed.find(({ mark }) => latin.includes(mark))?.looksLike ?? found.looksLike)
        : found.looksLike;
    const advice = looksLike === found.looksLike ? found.advice : exportAdvice;
    return { kind: "misnamed", looksLike, advice };
  }
  const text = looksLikeText(head);
  if (namedPdf) {
    if (!text) return { kind: "pdf" };
    if (htmlStart.test(start)) {
      return {
        kind: "misnamed",
        looksLike: "a web page (HTML)",
        advice: "It may be the message of a download that failed: download it again.",
      };
    }
    // PDFs whose header is lost still hold their objects.
    if (/\b\d+ \d+ obj\b/.test(latin)) return { kind: "pdf" };
    return { kind: "misnamed", looksLike: "plain text", advice: textAdvice };
  }
  if (!text) return { kind: "other", looksLike: "neither a PDF nor text" };
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
