/** UTF-8 bytes of the character whose first unit this is; a lone half counts as U+FFFD does, 3. */
function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** UTF-8 bytes of a text. */
function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += utf8Length(character.codePointAt(0) ?? 0);
  return bytes;
}

/**
 * The tokens that stand for any part of a text's characters `start` … `end` − 1: whole tokens, also those that only touch the range. A
 * range that begins or ends inside a surrogate pair means the whole character.
 * @param byteLengths as for {@link tokenSpans}
 * @returns the first token, and the one behind the last; nothing (`start` = `end`) for an empty text
 */
export function tokensTouching(
  text: string,
  byteLengths: Uint32Array,
  range: { readonly start: number; readonly end: number },
): { readonly start: number; readonly end: number } {
  const startsInside = isTrail(text, range.start) && range.start > 0;
  const from = utf8Bytes(text.slice(0, startsInside ? range.start - 1 : range.start));
  const to = utf8Bytes(text.slice(0, isTrail(text, range.end) ? range.end + 1 : range.end));
  let tokenBytes = 0;
  for (const length of byteLengths) tokenBytes += length;
  // What the tokenizer puts before the text belongs to the first token.
  let byte = utf8Bytes(text) - tokenBytes;
  let start = byteLengths.length;
  let end = 0;
  byteLengths.forEach((length, token) => {
    if (byte < to && byte + length > from) {
      start = Math.min(start, token);
      end = token + 1;
    }
    byte += length;
  });
  return start < end ? { start, end } : { start: 0, end: 0 };
}

/** Whether the unit is the second half of a character's two. */
function isTrail(text: string, unit: number): boolean {
  const code = text.charCodeAt(unit);
  return code >= 0xdc00 && code <= 0xdfff;
}

/**
 * Where each token starts in its text, in UTF-16 units. Tokens of a byte-level vocabulary may split a character: one that starts inside
 * a character is given that character's start.
 * @param byteLengths UTF-8 bytes of each token, in order. Where they come to more than the text (a space that the tokenizer puts before
 * it), the first token carries the surplus.
 * @returns one start for each token, then the text's length.
 */
export function tokenSpans(text: string, byteLengths: Uint32Array): Uint32Array {
  const starts = new Uint32Array(byteLengths.length + 1);
  let tokenBytes = 0;
  for (const length of byteLengths) tokenBytes += length;

  const surplus = tokenBytes - utf8Bytes(text);
  let wantedByte = 0;
  let unit = 0;
  let byte = 0;
  byteLengths.forEach((length, token) => {
    // Go on while the whole character lies before the token's first byte.
    while (unit < text.length) {
      const codePoint = text.codePointAt(unit) ?? 0;
      const bytes = utf8Length(codePoint);
      if (byte + bytes > wantedByte) break;
      byte += bytes;
      unit += codePoint > 0xffff ? 2 : 1;
    }
    starts[token] = unit;
    wantedByte += token === 0 ? Math.max(0, length - surplus) : length;
  });
  starts[byteLengths.length] = text.length;
  return starts;
}
