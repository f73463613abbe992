/** What characters are, as far as laying out text needs to know. */

const rightToLeftLetter = /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const decimalDigit = /^\p{Nd}/u;
const letter = /^\p{L}/u;
const mark = /^\p{M}/u;

/** Strong right-to-left: a letter of Hebrew, Arabic and their kin. Their digits run left to right and do not count. */
export function isRightToLeft(text: string): boolean {
  return rightToLeftLetter.test(text) && !decimalDigit.test(text) && letter.test(text);
}

export function isLeftToRightLetter(text: string): boolean {
  return letter.test(text) && !rightToLeftLetter.test(text);
}

export function isDigit(text: string): boolean {
  return decimalDigit.test(text);
}

export function isLetter(text: string): boolean {
  return letter.test(text);
}

/** A combining mark, which belongs to the letter it stands on. */
export function isMark(text: string): boolean {
  return mark.test(text);
}

/** Scripts that are written without spaces between words: a joined line end gets none. Korean does have spaces. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\u30fb\u30fc\uff00-\uffef]/u;

export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}

/** Hyphens that may be left over from breaking a word at a line's end. */
export function isHyphenCharacter(text: string): boolean {
  return text === "-" || text === "\u2010" || text === "\u00ad";
}

const spaceCharacter = /^[\t\v\f \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]$/;
// Latin ligatures, Hebrew and Arabic presentation forms, and the Kangxi radicals that some fonts put for plain ideographs.
const compatibilityForm = /^[\u2f00-\u2fdf\ufb00-\ufdff\ufe70-\ufefc]$/;
// Zero-width space, direction marks and byte order mark: nothing to see, nothing to read. (Joiners stay: Persian needs them.)
const invisible = /^[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]$/;

/**
 * The text that a code point read from a PDF stands for: ligatures and presentation forms as their letters, every kind of space as
 * one, line ends as "\n", nothing for what is invisible, U+FFFD for what is no character.
 */
export function textOfCodePoint(code: number): string {
  if (code === 0x0d || code === 0x0a || code === 0x2028 || code === 0x2029) return "\n";
  if (code > 0x20 && code < 0x7f) return String.fromCharCode(code);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || (code & 0xfffe) === 0xfffe) return "\ufffd";
  const text = String.fromCodePoint(code);
  if (spaceCharacter.test(text)) return " ";
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return "\ufffd";
  if (invisible.test(text)) return "";
  // Isolated forms of Arabic marks decompose to a space and the mark.
  return compatibilityForm.test(text) ? text.normalize("NFKC").replace(/ /g, "") : text;
}
