/** UTF-8 bytes of the character whose first unit this is; a lone half counts as U+FFFD does, 3. */
function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
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
  let textBytes = 0;
  for (const character of text) textBytes += utf8Length(character.codePointAt(0) ?? 0);

  const surplus = tokenBytes - textBytes;
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
