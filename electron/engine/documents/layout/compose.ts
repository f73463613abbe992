import { isDigit, isHyphenCharacter, isLetter, isUnspaced } from "./characters.ts";
import { goesOn } from "./columns.ts";
import { boxInFrame, type Glyph, isSpace, type Line, lineText, median, sharedHeight } from "./glyph.ts";

/** Text with four numbers (left, top, right, bottom as shown) for each UTF-16 unit; all zero where a unit has no place. */
export type PlacedText = { readonly text: string; readonly boxes: Float32Array<ArrayBuffer> };

/** How one line is tied to the next: within a word, by a space, by a line end, or by a blank line. */
type Tie = "join" | "space" | "line" | "paragraph";

const listItem = /^(?:[•◦▪‣·●○■□◆►✓–—*-]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\[\d+\]|\d+(?:\.\d+)+\.?)(?: |$)/;
/** A number at a line's start may also be the end of a sentence that was wrapped there. */
const numbered = /^\d{1,3}\./;
const leaders = /(?:\.{4,}|(?:\. ){3,}|…{2,}|_{4,})/;
/** A line may end after a dash or slash inside a word ("1914–1918", "https://…"): there is no space there. */
const brokenAtDash = /[^\s–—/][–—/]$|:\/\/$/u;
const sentenceEnd = /[.!?:;。！？؟]["'”’)\]]?$/;

function visibleEnd(line: Line): Glyph | undefined {
  return line.glyphs[line.glyphs.length - 1];
}

function endsInHyphen(line: Line): boolean {
  const last = visibleEnd(line);
  const before = line.glyphs[line.glyphs.length - 2];
  if (last === undefined || before === undefined || isSpace(before)) return false;
  return last.hyphen || (isHyphenCharacter(last.text) && (isLetter(before.text) || isDigit(before.text)));
}

/** Letters of one width, narrow ones too: code and listings, whose line ends are meant. Null where there are too few to tell. */
function isFixedPitch(line: Line): boolean | null {
  const widths = new Map<string, number>();
  for (const glyph of line.glyphs) {
    if (isUnspaced(glyph.text)) return false;
    const box = boxInFrame(glyph, line.turn);
    if (!isSpace(glyph)) widths.set(glyph.text, box.right - box.left);
  }
  const all = [...widths.values()];
  const even = Math.max(...all) - Math.min(...all) < 0.03 * Math.max(...all);
  return even && widths.size < 5 ? null : even;
}

/** A line with gaps between its parts is a row of a table or a form: it is kept as a line. */
function hasGaps(line: Line): boolean {
  const limit = 1.3 * line.size;
  let right = Number.NaN;
  for (const glyph of line.glyphs) {
    if (isSpace(glyph)) continue;
    const box = boxInFrame(glyph, line.turn);
    if (box.left - right > limit || (line.rightToLeft && right - box.right > 0 && box.left - right > limit)) return true;
    right = box.right;
  }
  return false;
}

/** Width of the line's first word. */
function firstWordWidth(line: Line): number {
  let width = 0;
  for (const glyph of line.glyphs) {
    if (isSpace(glyph)) break;
    const box = boxInFrame(glyph, line.turn);
    width += Math.max(0, box.right - box.left);
    if (isUnspaced(glyph.text)) break;
  }
  return width;
}

type Facts = { readonly gaps: boolean; readonly fixedPitch: boolean | null; readonly left: number; readonly right: number };

/** True where two lines follow one another as lines of one block do: below, of one size, over one another, not far apart. */
function sameBlock(line: Line, next: Line, leading: number): boolean {
  if (line.turn !== next.turn || next.top + next.bottom <= line.top + line.bottom) return false;
  const size = Math.max(line.size, next.size);
  if (size > 1.25 * Math.min(line.size, next.size)) return false;
  const distance = (next.top + next.bottom - line.top - line.bottom) / 2;
  const overlap = Math.min(line.right, next.right) - Math.max(line.left, next.left);
  return overlap > 0 && distance <= Math.max(1.25 * leading, size);
}

/** The usual distance from line to line, by the size of the line: lines of a size have a leading of their own. */
function leadings(lines: readonly Line[]): (line: Line) => number {
  const bySize = new Map<number, number[]>();
  const all: number[] = [];
  lines.slice(1).forEach((next, index) => {
    const line = lines[index];
    if (line === undefined || line.turn !== next.turn) return;
    const distance = (next.top + next.bottom - line.top - line.bottom) / 2;
    if (distance < 0.5 * line.size || distance > 2.6 * line.size || sharedHeight(line, next) > 0.5) return;
    const key = Math.round(line.size);
    bySize.set(key, [...(bySize.get(key) ?? []), distance]);
    all.push(distance / line.size);
  });
  const usual = median(all) || 1.2;
  // Close lines are the block's own: the lower third, not the middle, where many blocks are short.
  const chosen = new Map([...bySize].map(([key, values]) => [key, lowerThird(values)] as const));
  return (line) => chosen.get(Math.round(line.size)) ?? usual * line.size;
}

function lowerThird(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 3)] ?? 0;
}

/** For each line the edges of the block it stands in. */
function blockFacts(lines: readonly Line[], leadingOf: (line: Line) => number): Facts[] {
  const facts: Facts[] = [];
  let start = 0;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    const next = lines[index + 1];
    if (line === undefined) break;
    if (next !== undefined && sameBlock(line, next, leadingOf(line))) continue;
    const block = lines.slice(start, index + 1);
    const left = Math.min(...block.map((each) => each.left));
    const right = Math.max(...block.map((each) => each.right));
    for (const each of block) facts.push({ gaps: hasGaps(each), fixedPitch: isFixedPitch(each), left, right });
    start = index + 1;
  }
  return facts;
}

/** Whether the next line's first word had no room left on this one: then the line end is a wrap, not meant. */
function wrapped(line: Line, next: Line, facts: Facts): boolean {
  const room = line.rightToLeft ? line.left - facts.left : facts.right - line.right;
  if (room < firstWordWidth(next) + 0.35 * line.size) return true;
  // In ragged prose a line may end early; a sentence that plainly goes on says that it was not meant to.
  const width = facts.right - facts.left;
  return width > 15 * line.size && room < 0.4 * width && /^\p{Ll}/u.test(lineText(next)) && /[\p{L},]$/u.test(lineText(line));
}

function tieBetween(line: Line, next: Line, facts: Facts, nextFacts: Facts, leading: number): Tie {
  const hyphen = endsInHyphen(line);
  const text = lineText(line);
  if (line.turn !== next.turn) return "paragraph";
  const sameRow = sharedHeight(line, next) >= 0.5;
  if (sameRow) {
    const ahead = line.rightToLeft ? line.left - next.right : next.left - line.right;
    return ahead > -line.size ? "space" : "line";
  }
  const up = next.top + next.bottom < line.top + line.bottom;
  const far = up || next.left > line.right || next.right < line.left;
  if (far) {
    // From the foot of a column to the head of the next one a sentence goes on.
    if (hyphen && goesOn(line, next)) return "join";
    return up && goesOn(line, next) && !sentenceEnd.test(text) && Math.abs(line.size - next.size) < 0.15 * line.size
      ? "space"
      : "paragraph";
  }
  if (!sameBlock(line, next, leading)) return "paragraph";
  if (hyphen) return "join";
  if (facts.gaps || nextFacts.gaps || leaders.test(text) || leaders.test(lineText(next))) return "line";
  const wrappedNumber = numbered.test(lineText(next)) && !listItem.test(text) && /[\p{L},]$/u.test(text) && wrapped(line, next, facts);
  if (listItem.test(lineText(next)) && !wrappedNumber) return "line";
  const indent = line.rightToLeft ? line.right - next.right : next.left - line.left;
  if (indent > 0.7 * line.size && indent < 4 * line.size && sentenceEnd.test(text)) return "paragraph";
  const listing = facts.fixedPitch !== false && nextFacts.fixedPitch !== false && (facts.fixedPitch ?? nextFacts.fixedPitch) === true;
  if (listing && !(/^\p{Ll}/u.test(lineText(next)) && /[\p{L},]$/u.test(text))) return "line";
  return wrapped(line, next, facts) ? "space" : "line";
}

/** Words of the page that stand whole on one line, to tell a hyphen that belongs to a word from one that a line end asked for. */
function wholeWords(lines: readonly Line[]): Set<string> {
  const words = new Set<string>();
  for (const line of lines) {
    for (const word of lineText(line)
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*/gu) ?? [])
      words.add(word);
  }
  return words;
}

/** True where the hyphen at a line's end is the word's own ("well-known", "Trans-European", "COVID-19", "state-of-the-art"). */
function keepsHyphen(line: Line, next: Line, words: ReadonlySet<string>): boolean {
  const start = lineText(next);
  const before = line.glyphs[line.glyphs.length - 2]?.text ?? "";
  // A hyphen after a slash only marks the break of an address.
  if (!isLetter(before)) return isDigit(before);
  if (!/^[\p{Ll}\p{Lo}]/u.test(start)) return true;
  const head =
    lineText(line)
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*(?=.$)/u)?.[0] ?? "";
  const tail = start.toLowerCase().match(/^[\p{L}\p{N}\p{M}]+/u)?.[0] ?? "";
  if (head.includes("-")) return true;
  return words.has(`${head}-${tail}`) && !words.has(`${head}${tail}`);
}

class Builder {
  readonly #parts: string[] = [];
  readonly #boxes: number[] = [];
  #last = "";

  add(text: string, glyph: Glyph | null): void {
    if (text === "") return;
    this.#parts.push(text);
    this.#last = text;
    for (let unit = 0; unit < text.length; unit += 1) {
      if (glyph === null || glyph.added) this.#boxes.push(0, 0, 0, 0);
      else this.#boxes.push(glyph.left, glyph.top, glyph.right, glyph.bottom);
    }
  }

  get last(): string {
    return this.#last;
  }

  finish(): PlacedText {
    return { text: this.#parts.join(""), boxes: Float32Array.from(this.#boxes) };
  }
}

function addLine(builder: Builder, line: Line, dropHyphen: boolean): void {
  const end = line.glyphs.length - (dropHyphen ? 1 : 0);
  for (let index = 0; index < end; index += 1) {
    const glyph = line.glyphs[index];
    if (glyph === undefined) break;
    // A soft hyphen inside a line is not shown.
    if (glyph.text === "\u00ad" && index < line.glyphs.length - 1) continue;
    // Between two characters of a script without spaces a narrow gap is tracking, not a word's end.
    const before = line.glyphs[index - 1];
    const after = line.glyphs[index + 1];
    if (glyph.added && isSpace(glyph) && before !== undefined && after !== undefined && isTracking(before, after, line)) continue;
    builder.add(glyph.text === "\u00ad" ? "-" : glyph.text, glyph);
  }
}

function isTracking(before: Glyph, after: Glyph, line: Line): boolean {
  if (!isUnspaced(before.text) || !isUnspaced(after.text)) return false;
  return boxInFrame(after, line.turn).left - boxInFrame(before, line.turn).right < 0.8 * line.size;
}

/** One page's text from its lines in reading order: wrapped lines and hyphenated words joined, paragraphs apart by a blank line. */
export function composeText(lines: readonly Line[]): PlacedText {
  const builder = new Builder();
  const leadingOf = leadings(lines);
  const facts = blockFacts(lines, leadingOf);
  const words = wholeWords(lines);
  lines.forEach((line, index) => {
    const next = lines[index + 1];
    const here = facts[index];
    const there = facts[index + 1];
    if (next === undefined || here === undefined || there === undefined) {
      addLine(builder, line, false);
      return;
    }
    const tie = tieBetween(line, next, here, there, leadingOf(line));
    addLine(builder, line, tie === "join" && !keepsHyphen(line, next, words));
    if (tie === "paragraph") builder.add("\n\n", null);
    else if (tie === "line") builder.add("\n", null);
    else if (tie === "space" && !brokenAtDash.test(lineText(line)) && !(isUnspaced(builder.last) && isUnspaced(next.glyphs[0]?.text ?? "")))
      builder.add(" ", null);
  });
  return builder.finish();
}
