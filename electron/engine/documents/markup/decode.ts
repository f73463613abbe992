import { say } from "../../../contract/said.ts";
import { type DecodedText, decodeText } from "../plainText.ts";

/** Names of what {@link decodeText} reads by itself. */
const own = /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii|ascii|iso-?8859-?1|latin-?1|windows-1252|cp1252)$/i;

/**
 * Decodes markup: by its byte order mark, as UTF-8 where it is valid, else by the encoding it names, else as Windows-1252.
 */
export function decodeMarkup(bytes: Uint8Array): DecodedText {
  const mark = missingMark(bytes);
  if (mark !== null) return decodeText(Buffer.concat([mark, bytes]));
  const decoded = decodeText(bytes);
  if (decoded.notices.length === 0) return decoded;
  // No UTF-8: it should say what it is.
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 2048)).toString("latin1");
  const named =
    /<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1] ?? /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
  if (named === undefined) return decoded;
  if (own.test(named)) return { text: decoded.text, notices: [] };
  try {
    return { text: new TextDecoder(named).decode(bytes).replace(/\r\n?/g, "\n"), notices: [] };
  } catch {
    return {
      text: decoded.text,
      notices: [say("encodingUnknown", { encoding: named })],
    };
  }
}

/** The byte order mark that UTF-16 was written without, by a `<` and a byte of zero at its begin. */
function missingMark(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] === 0x3c && bytes[1] === 0) return Uint8Array.of(0xff, 0xfe);
  if (bytes[0] === 0 && bytes[1] === 0x3c) return Uint8Array.of(0xfe, 0xff);
  return null;
}
