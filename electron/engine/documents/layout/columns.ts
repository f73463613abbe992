import { boxInFrame, type Glyph, isSpace, type Line, lineText, makeLine, median, sharedHeight } from "./glyph.ts";

/** A stretch of a line between wide gaps. */
type Segment = { readonly line: Line; readonly parent: number };
type Column = { left: number; right: number; readonly segments: Segment[] };

/** Narrowest gutter, and widest gap inside a line, in the size of its glyphs. */
const leastGutter = 0.9;
const mostColumns = 3;

function segmentsOf(line: Line, parent: number): Segment[] {
  const parts: Glyph[][] = [];
  let part: Glyph[] = [];
  let right = Number.NaN;
  for (const glyph of line.glyphs) {
    if (!isSpace(glyph)) {
      const box = boxInFrame(glyph, line.turn);
      if (box.left - right > leastGutter * line.size) {
        parts.push(part);
        part = [];
      }
      right = Number.isNaN(right) ? box.right : Math.max(right, box.right);
    }
    part.push(glyph);
  }
  parts.push(part);
  if (parts.length === 1) return [{ line, parent }];
  return parts.flatMap((glyphs) => {
    const stretch = makeLine(glyphs, line.turn, line.rightToLeft);
    return stretch === null ? [] : [{ line: stretch, parent }];
  });
}

/** Puts a segment into the column it stands in, or opens one; false where it stands in several or its column is past it. */
function take(columns: Column[], segment: Segment): boolean {
  const { line } = segment;
  const margin = leastGutter * line.size;
  const touched = columns.filter((column) => line.left < column.right + margin && line.right > column.left - margin);
  const [column] = touched;
  if (column === undefined) {
    if (columns.length >= mostColumns) return false;
    columns.push({ left: line.left, right: line.right, segments: [segment] });
    return true;
  }
  const last = column.segments[column.segments.length - 1];
  if (touched.length > 1 || last === undefined || line.top <= last.line.top || line.top - last.line.bottom > 4 * line.size) return false;
  column.left = Math.min(column.left, line.left);
  column.right = Math.max(column.right, line.right);
  column.segments.push(segment);
  return true;
}

/** True where a line's sentence goes on in the next one: it is not ended, and that one starts small. */
export function goesOn(line: Line, next: Line): boolean {
  const start = lineText(next);
  if (/^[\p{Ll}]/u.test(start)) return true;
  // Scripts without cases: a full line that no stop ends.
  return /^[\p{Lo}]/u.test(start) && !/[.!?。！？؟:]$/u.test(lineText(line));
}

/** Running text set in a column, not the cells of a table: starts in line, well filled, several words, sentences that go on below. */
function readsAsProse(column: Column): boolean {
  const lines = column.segments.map((segment) => segment.line);
  if (lines.length < 2) return false;
  const size = median(lines.map((line) => line.size));
  const inLine = lines.filter((line) => line.left - column.left < 3 * size).length;
  const words = lines.map((line) => (/\p{Lo}/u.test(lineText(line)) ? line.glyphs.length / 4 : lineText(line).split(" ").length));
  const widths = lines.map((line) => (line.right - line.left) / (column.right - column.left));
  const goingOn = lines.slice(1).filter((line, index) => {
    const before = lines[index];
    return before !== undefined && goesOn(before, line);
  }).length;
  const filled = lines.length < 4 || median(widths) >= 0.7;
  const wordy = words.reduce((sum, count) => sum + count, 0) / lines.length >= (lines.length < 4 ? 2.5 : 3);
  return inLine >= 0.8 * lines.length && filled && wordy && goingOn >= 0.5 * (lines.length - 1);
}

/** How often the order given goes from one column to another. */
function changes(columns: readonly Column[], order: readonly Segment[]): number {
  const columnOf = new Map(columns.flatMap((column) => column.segments.map((segment) => [segment, column] as const)));
  return order.slice(1).filter((segment, index) => {
    const before = order[index];
    return before !== undefined && columnOf.get(before) !== columnOf.get(segment);
  }).length;
}

/** The columns from `start` on where they are drawn row by row and read as prose; else null. */
function columnsFrom(segments: readonly Segment[], start: number): { columns: Column[]; end: number } | null {
  const first = segments[start];
  const second = segments[start + 1];
  if (first === undefined || second === undefined) return null;
  if (first.line.turn !== 0 || sharedHeight(first.line, second.line) < 0.3) return null;
  const columns: Column[] = [];
  let end = start;
  for (let next = segments[end]; next !== undefined; next = segments[end]) {
    if (next.line.turn !== 0 || !take(columns, next)) break;
    end += 1;
  }
  // A line is not cut in two by the end of the columns.
  while (end > start && segments[end - 1]?.parent === segments[end]?.parent) {
    end -= 1;
    const dropped = segments[end];
    for (const column of columns) if (column.segments[column.segments.length - 1] === dropped) column.segments.pop();
  }
  const full = columns.filter((column) => column.segments.length > 0);
  const order = segments.slice(start, end);
  if (full.length < 2 || changes(full, order) < Math.max(3, 0.5 * (order.length - 1))) return null;
  if (!full.every(readsAsProse)) return null;
  return { columns: full, end };
}

/**
 * Puts columns that the file draws row by row, across the gutter, one after the other. Whatever is not clearly such text (tables,
 * forms, columns in order already) stays as it is.
 */
export function orderColumns(lines: readonly Line[]): Line[] {
  const segments = lines.flatMap(segmentsOf);
  const ordered: Line[] = [];
  let index = 0;
  while (index < segments.length) {
    const segment = segments[index];
    if (segment === undefined) break;
    const startsLine = segments[index - 1]?.parent !== segment.parent;
    const found = startsLine ? columnsFrom(segments, index) : null;
    if (found !== null) {
      const rightToLeft = segment.line.rightToLeft;
      const columns = found.columns.sort((one, other) => (rightToLeft ? other.left - one.left : one.left - other.left));
      for (const column of columns) for (const { line } of column.segments) ordered.push(line);
      index = found.end;
      continue;
    }
    const parent = lines[segment.parent];
    if (startsLine && parent !== undefined) ordered.push(parent);
    index += 1;
  }
  return ordered;
}
