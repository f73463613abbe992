import { isDigit, isLetter, isRightToLeft } from "./characters.ts";
import { boxInFrame, type Glyph, isLineEnd, isSpace, type Line, lineText, makeLine, median, sharedHeight, type Turn } from "./glyph.ts";

/** PDFium's own rows: glyphs between its line ends, in its order. */
function rowsOf(glyphs: readonly Glyph[]): Glyph[][] {
  const rows: Glyph[][] = [];
  let row: Glyph[] = [];
  for (const glyph of glyphs) {
    if (!isLineEnd(glyph)) {
      row.push(glyph);
      continue;
    }
    rows.push(row);
    row = [];
  }
  rows.push(row);
  return rows;
}

/** Vertical writing has no turn of its own in PDF: it shows in glyphs that stand below one another. */
function writtenDownwards(row: readonly Glyph[]): boolean {
  const visible = row.filter((glyph) => !isSpace(glyph));
  if (visible.length < 4) return false;
  let down = 0;
  visible.forEach((glyph, index) => {
    const next = visible[index + 1];
    if (next === undefined) return;
    const width = Math.max(glyph.right - glyph.left, next.right - next.left);
    const aside = Math.abs(glyph.left + glyph.right - next.left - next.right) / 2;
    if (aside < 0.4 * width && (next.top + next.bottom) / 2 > glyph.bottom - 0.2 * (glyph.bottom - glyph.top)) down += 1;
  });
  return down >= 0.6 * (visible.length - 1);
}

function turnOf(row: readonly Glyph[]): Turn {
  const counts = [0, 0, 0, 0];
  for (const glyph of row) if (!isSpace(glyph)) counts[glyph.turn] = (counts[glyph.turn] ?? 0) + 1;
  const usual = counts.indexOf(Math.max(...counts));
  const turn: Turn = usual === 1 ? 1 : usual === 2 ? 2 : usual === 3 ? 3 : 0;
  return turn === 0 && writtenDownwards(row) ? 1 : turn;
}

/** Splits a row where its glyphs leave it: PDFium joins across a hyphen, from one column of vertical writing to the next, and elsewhere. */
function splitWhereLeft(row: readonly Glyph[], turn: Turn): Glyph[][] {
  const parts: Glyph[][] = [];
  let part: Glyph[] = [];
  let previous: { glyph: Glyph; index: number } | undefined;
  for (const glyph of row) {
    if (isSpace(glyph)) {
      part.push(glyph);
      continue;
    }
    if (previous !== undefined) {
      const before = boxInFrame(previous.glyph, turn);
      const box = boxInFrame(glyph, turn);
      const height = Math.max(before.bottom - before.top, box.bottom - box.top);
      const apart = Math.abs(before.top + before.bottom - box.top - box.bottom) / 2;
      const left = sharedHeight(before, box) < 0.15 && apart > 0.6 * height;
      if (left || (previous.glyph.hyphen && apart > 0.3 * height)) {
        parts.push(part);
        part = [];
      }
    }
    part.push(glyph);
    previous = { glyph, index: part.length - 1 };
  }
  parts.push(part);
  return parts;
}

/** Columns of vertical writing are read from right to left, downwards in their frame; PDFium gives whole tiers of them the other way round. */
function inVerticalOrder(parts: readonly Line[]): readonly Line[] {
  if (parts.some((part) => part.turn !== 1 || part.glyphs.some((glyph) => glyph.turn !== 0))) return parts;
  const ordered: Line[] = [];
  let tier: Line[] = [];
  for (const part of parts) {
    const above = tier[tier.length - 1];
    if (above !== undefined && part.top > above.top) {
      ordered.push(...tier.reverse());
      tier = [];
    }
    tier.push(part);
  }
  return [...ordered, ...tier.reverse()];
}

/** Joins what PDFium broke on one and the same row, as it does after a raised character. */
function joinRows(lines: readonly Line[]): Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const before = joined[joined.length - 1];
    const aside = before === undefined ? 0 : line.left - before.right;
    // Rows of right-to-left text go on at their left.
    const rightToLeft = before !== undefined && aside < 0 && line.glyphs.some((glyph) => isRightToLeft(glyph.text));
    const gap = before !== undefined && rightToLeft ? before.left - line.right : aside;
    if (before !== undefined && before.turn === line.turn && sharedHeight(before, line) >= 0.5) {
      const size = Math.max(before.size, line.size);
      const last = before.glyphs[before.glyphs.length - 1];
      if (gap > -0.5 * size && gap < 1.2 * size && last !== undefined) {
        const space: Glyph[] = gap > 0.12 * size ? [spaceAfter(last)] : [];
        const whole = makeLine([...before.glyphs, ...space, ...line.glyphs], line.turn, false);
        if (whole !== null) {
          joined[joined.length - 1] = whole;
          continue;
        }
      }
    }
    joined.push(line);
  }
  return joined;
}

/** A space that we add; it has no place of its own. */
export function spaceAfter(glyph: Glyph): Glyph {
  return { text: " ", left: 0, top: 0, right: 0, bottom: 0, turn: glyph.turn, added: true, hyphen: false };
}

/**
 * Takes the spaces out of l e t t e r - s p a c e d words. PDFium sees a gap after each letter; here a run of single letters with
 * even gaps is a word, and a gap well over the usual one ends it.
 */
function closeLetterSpacing(line: Line): Line {
  const visible: { glyph: Glyph; left: number; right: number; spaced: boolean }[] = [];
  let space: Glyph | null = null;
  for (const glyph of line.glyphs) {
    if (isSpace(glyph)) {
      space = glyph;
      continue;
    }
    const box = boxInFrame(glyph, line.turn);
    visible.push({ glyph, left: box.left, right: box.right, spaced: space?.added === true });
    space = null;
  }
  if (visible.length < 6) return line;
  const alone = visible.filter((item, index) => item.spaced && (visible[index + 1]?.spaced ?? true) && isLetter(item.glyph.text)).length;
  if (alone < 4 || alone < 0.6 * visible.length) return line;
  const gaps = visible.slice(1).map((item, index) => item.left - (visible[index]?.right ?? item.left));
  const usual = median(gaps);
  if (usual <= 0 || usual > 1.1 * line.size) return line;
  const glyphs: Glyph[] = [];
  visible.forEach((item, index) => {
    const gap = gaps[index - 1] ?? 0;
    const previous = visible[index - 1]?.glyph;
    if (previous !== undefined && gap > usual + Math.max(0.6 * usual, 0.12 * line.size) && !bothDigits(previous, item.glyph)) {
      glyphs.push(spaceAfter(previous));
    }
    glyphs.push(item.glyph);
  });
  const closed = makeLine(glyphs, line.turn, line.rightToLeft);
  return closed !== null && readsAsWords(lineText(closed)) ? closed : line;
}

/** Words and not letters listed one by one ("a A b B", "x y z"): most are written as words are, small, capital or with one capital first. */
function readsAsWords(text: string): boolean {
  const words = text.split(" ");
  const written = words.filter((word) => /^\P{L}*(?:\p{Lu}{2,}|\p{L}?\p{Ll}{2,}|\p{Lo}{2,}|\p{L}|)\P{L}*$/u.test(word)).length;
  return written >= 0.7 * words.length && text.length - words.length + 1 >= 2.5 * words.length;
}

function bothDigits(one: Glyph, other: Glyph): boolean {
  return isDigit(one.text) && isDigit(other.text);
}

/** Lines of a page in PDFium's order, from the glyphs in PDFium's order. */
export function splitLines(glyphs: readonly Glyph[]): Line[] {
  const lines: Line[] = [];
  for (const row of rowsOf(glyphs)) {
    const turn = turnOf(row);
    const parts = splitWhereLeft(row, turn).flatMap((part) => makeLine(part, turn, false) ?? []);
    lines.push(...inVerticalOrder(parts));
  }
  return joinRows(lines).map(closeLetterSpacing);
}
