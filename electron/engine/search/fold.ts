/** A text as it is compared, and where each of its UTF-16 units came from. */
export type Folded = {
  readonly text: string;
  /** For each unit of `text`: the range of the original that it stands for. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
};

const blank = /\s/u;
const mark = /\p{M}/gu;

/**
 * Folds a text so that what a person takes for the same is the same: letters in lower case and without accents, ligatures taken apart,
 * runs of blanks and line ends as one blank.
 */
export function fold(original: string): Folded {
  const parts: string[] = [];
  // A character may fold to several.
  let starts = new Uint32Array(original.length + 16);
  let ends = new Uint32Array(original.length + 16);
  let length = 0;
  const put = (text: string, start: number, end: number): void => {
    parts.push(text);
    if (length + text.length > starts.length) {
      starts = grown(starts, length + text.length);
      ends = grown(ends, length + text.length);
    }
    starts.fill(start, length, length + text.length);
    ends.fill(end, length, length + text.length);
    length += text.length;
  };
  for (let at = 0; at < original.length; ) {
    const code = original.codePointAt(at) ?? 0;
    const end = at + (code > 0xffff ? 2 : 1);
    if (code < 0x80 && code > 0x20) put(String.fromCharCode(code).toLowerCase(), at, end);
    else {
      const character = original.slice(at, end);
      if (!blank.test(character)) put(character.normalize("NFKD").replace(mark, "").toLowerCase(), at, end);
      else if (parts[parts.length - 1] === " ") ends[length - 1] = end;
      else put(" ", at, end);
    }
    at = end;
  }
  return { text: parts.join(""), starts: starts.subarray(0, length), ends: ends.subarray(0, length) };
}

function grown(numbers: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(least, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}

/**
 * Where a folded text occurs in another.
 * @param needle folded as well; an empty one is nowhere
 * @param most places to look for
 * @returns ranges of the original, ascending, that do not overlap
 */
export function placesOf(folded: Folded, needle: string, most: number): { readonly start: number; readonly end: number }[] {
  const places: { start: number; end: number }[] = [];
  if (needle === "") return places;
  for (let at = folded.text.indexOf(needle); at >= 0 && places.length < most; at = folded.text.indexOf(needle, at + needle.length)) {
    places.push({ start: folded.starts[at] ?? 0, end: folded.ends[at + needle.length - 1] ?? 0 });
  }
  return places;
}
