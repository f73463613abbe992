import { isDigit, isLeftToRightLetter, isMark, isRightToLeft } from "./characters.ts";
import { type Box, boxInFrame, type Glyph, isSpace, type Line, makeLine } from "./glyph.ts";
import { spaceAfter } from "./lines.ts";

/**
 * From the place of glyphs on the page to the order in which they are read, for lines with right-to-left letters. PDFium guesses this
 * from the order in the file, which some writers store as seen and others as read; places do not lie. This is the Unicode
 * bidirectional algorithm turned round, for what documents really hold: words and numbers of the other direction inside a line.
 */

/**
 * What is drawn in one place: a letter with its marks, or a ligature. `way`: R, L, digit (runs L, has no say), or neutral.
 * `place`: its number in PDFium's order; `spaced`: PDFium put a space before it.
 */
type Cluster = Box & {
  glyphs: Glyph[];
  readonly way: "R" | "L" | "digit" | "neutral" | "space";
  readonly place: number;
  readonly spaced: boolean;
};

/** Arabic lam with alef is one glyph for two letters; they come in either order, and only this one is written. */
const alef = /^[\u0622\u0623\u0625\u0627\u0671]$/;
const pairs = ["()", "[]", "{}", "<>", "«»", "‹›"] as const;

function wayOf(text: string): Cluster["way"] {
  if (text === " ") return "space";
  if (isRightToLeft(text)) return "R";
  if (isDigit(text)) return "digit";
  return isLeftToRightLetter(text) ? "L" : "neutral";
}

function sameBox(one: Box, other: Box): boolean {
  return one.left === other.left && one.top === other.top && one.right === other.right && one.bottom === other.bottom;
}

/** Letters that one glyph stands for. PDFium has turned them round with the rest of their row. */
function inLigatureOrder(glyphs: readonly Glyph[]): Glyph[] {
  const turned = [...glyphs].reverse();
  const [first, second] = turned;
  // A letter and its mark as one character are not turned round: PDFium has taken them apart itself.
  if (first !== undefined && isMark(first.text)) return [...glyphs];
  if (turned.length === 2 && first !== undefined && second !== undefined && alef.test(first.text) && second.text === "ل") {
    return [second, first];
  }
  return turned.map((glyph) => glyph.text).join("") === "هللا" ? turned.reverse() : turned;
}

function clustersOf(line: Line): Cluster[] {
  const clusters: Cluster[] = [];
  const marks: Glyph[] = [];
  let group: Glyph[] = [];
  let spaced = false;
  let spaceNext = false;
  const close = (): void => {
    const [first] = group;
    if (first === undefined) return;
    const glyphs = group.length > 1 && group.some((glyph) => isRightToLeft(glyph.text)) ? inLigatureOrder(group) : group;
    const way = glyphs.map((glyph) => wayOf(glyph.text)).find((each) => each !== "neutral") ?? "neutral";
    clusters.push({ ...boxInFrame(first, line.turn), glyphs, way, place: clusters.length, spaced });
    group = [];
  };
  for (const glyph of line.glyphs) {
    // A space that PDFium added has no place; it is kept as a word between the two letters that it stands between.
    if (glyph.added) {
      spaceNext = true;
      continue;
    }
    const [first] = group;
    if (first !== undefined && !isSpace(glyph) && sameBox(first, glyph)) {
      group.push(glyph);
      continue;
    }
    close();
    if (isMark(glyph.text)) marks.push(glyph);
    else {
      group = [glyph];
      spaced = spaceNext;
      spaceNext = false;
    }
  }
  close();
  clusters.sort((one, other) => one.left + one.right - other.left - other.right);
  for (const glyph of marks) attach(glyph, clusters, line);
  return clusters;
}

/** Gives a mark to the letter that it stands on. */
function attach(glyph: Glyph, clusters: Cluster[], line: Line): void {
  const box = boxInFrame(glyph, line.turn);
  const centre = (box.left + box.right) / 2;
  let nearest: Cluster | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const cluster of clusters) {
    if (cluster.way === "space") continue;
    const distance =
      Math.abs((cluster.left + cluster.right) / 2 - centre) - (centre >= cluster.left && centre <= cluster.right ? line.size : 0);
    if (distance < least) {
      least = distance;
      nearest = cluster;
    }
  }
  if (nearest === undefined) clusters.push({ ...box, glyphs: [glyph], way: "neutral", place: 0, spaced: false });
  else nearest.glyphs.push(glyph);
}

/** Whether two clusters that are neighbours as seen stand in different words. */
function apart(left: Cluster, right: Cluster, edge: number, size: number): boolean {
  if (left.way === "space" || right.way === "space") return false;
  // Where PDFium had them as neighbours too it has measured the gap against the font.
  if (right.place === left.place + 1) return right.spaced;
  if (left.place === right.place + 1) return left.spaced;
  // Between words of different directions gaps are all there is to go by.
  return right.left - edge > 0.08 * size;
}

/** Adds a space cluster where words stand apart without a space character. */
function withSpaces(clusters: readonly Cluster[], size: number): Cluster[] {
  const spaced: Cluster[] = [];
  let edge = Number.NEGATIVE_INFINITY;
  for (const cluster of clusters) {
    const previous = spaced[spaced.length - 1];
    const [glyph] = cluster.glyphs;
    if (previous !== undefined && glyph !== undefined && apart(previous, cluster, edge, size)) {
      spaced.push({ ...cluster, left: edge, right: cluster.left, glyphs: [spaceAfter(glyph)], way: "space", spaced: false });
    }
    spaced.push(cluster);
    edge = Math.max(edge, cluster.right);
  }
  return spaced;
}

/**
 * Brackets as drawn: whatever the direction, the one that opens to the right stands left. PDFium has mirrored some of them, so a
 * pair is told by place, from left to right, where their number is even.
 */
function straightenBrackets(clusters: readonly Cluster[]): void {
  for (const pair of pairs) {
    const places = clusters.filter((cluster) => cluster.glyphs.length === 1 && pair.includes(cluster.glyphs[0]?.text ?? "none"));
    let depth = 0;
    const balanced = places.every((cluster) => {
      depth += cluster.glyphs[0]?.text === pair[0] ? 1 : -1;
      return depth >= 0;
    });
    if ((balanced && depth === 0) || places.length % 2 === 1) continue;
    places.forEach((cluster, index) => {
      setText(cluster, pair[index % 2] ?? "");
    });
  }
}

function mirrored(cluster: Cluster): Cluster {
  const text = cluster.glyphs[0]?.text ?? "";
  const pair = pairs.find((each) => cluster.glyphs.length === 1 && each.includes(text));
  if (pair === undefined) return cluster;
  const copy = { ...cluster, glyphs: [...cluster.glyphs] };
  setText(copy, (text === pair[0] ? pair[1] : pair[0]) ?? text);
  return copy;
}

function setText(cluster: Cluster, text: string): void {
  cluster.glyphs = cluster.glyphs.map((glyph) => ({ ...glyph, text }));
}

/** Words as seen: the indices of clusters between spaces. */
function wordsOf(clusters: readonly Cluster[]): { from: number; to: number }[] {
  const words: { from: number; to: number }[] = [];
  let from = 0;
  for (let index = 0; index <= clusters.length; index += 1) {
    if (index < clusters.length && clusters[index]?.way !== "space") continue;
    if (index > from) words.push({ from, to: index });
    from = index + 1;
  }
  return words;
}

/** For each cluster of a right-to-left line whether it runs left to right inside it. */
function leftToRightParts(clusters: readonly Cluster[]): boolean[] {
  const parts = clusters.map((cluster) => cluster.way === "L" || cluster.way === "digit");
  const words = wordsOf(clusters);
  const kinds = words.map(({ from, to }) => {
    const ways = clusters.slice(from, to).map((cluster) => cluster.way);
    if (ways.includes("R")) return "R";
    if (ways.includes("L")) return "L";
    return ways.includes("digit") ? "digit" : "neutral";
  });
  words.forEach(({ from, to }, number) => {
    if (kinds[number] === "R" || kinds[number] === "neutral") {
      // Inside a mixed word a sign between two digits or letters of one run belongs to it: 1,5 and a-b.
      for (let index = from + 1; index < to - 1; index += 1) {
        if (clusters[index]?.way === "neutral" && parts[index - 1] === true && parts[index + 1] === true) parts[index] = true;
      }
      return;
    }
    let start = from;
    // What ends a sentence stands left of a word that is read last: it is the line's, not the word's.
    while (start < to && clusters[start]?.way === "neutral" && /^[.,:;!?،؛؟…]$/.test(clusters[start]?.glyphs[0]?.text ?? "")) start += 1;
    for (let index = start; index < to; index += 1) parts[index] = true;
  });
  words.forEach(({ from }, number) => {
    const before = kinds[number - 1];
    const here = kinds[number];
    if (number === 0 || before === undefined || here === undefined) return;
    const run = (kind: string): boolean => kind === "L" || kind === "digit";
    if (run(before) && run(here) && (before === "L" || here === "L")) parts[from - 1] = parts[from] === true;
  });
  return parts;
}

/** Clusters as seen, of text that runs right to left, as read. */
function readRightToLeft(clusters: readonly Cluster[]): Cluster[] {
  const parts = leftToRightParts(clusters);
  const read: Cluster[] = [];
  let end = clusters.length;
  while (end > 0) {
    let start = end - 1;
    const part = parts[start] === true;
    while (start > 0 && (parts[start - 1] === true) === part) start -= 1;
    const run = clusters.slice(start, end);
    if (part) read.push(...run);
    else for (const cluster of run.reverse()) read.push(mirrored(cluster));
    end = start;
  }
  return read;
}

/** Clusters as seen, of a left-to-right line, as read: only stretches of right-to-left words are turned. */
function readLeftToRight(clusters: readonly Cluster[]): Cluster[] {
  const read: Cluster[] = [];
  let index = 0;
  while (index < clusters.length) {
    const cluster = clusters[index];
    if (cluster === undefined) break;
    if (cluster.way !== "R") {
      read.push(cluster);
      index += 1;
      continue;
    }
    let end = index + 1;
    for (let next = end; next < clusters.length && clusters[next]?.way !== "L"; next += 1) if (clusters[next]?.way === "R") end = next + 1;
    read.push(...readRightToLeft(clusters.slice(index, end)));
    index = end;
  }
  return read;
}

function countWays(line: Line): { right: number; left: number } {
  let right = 0;
  let left = 0;
  for (const glyph of line.glyphs) {
    if (isRightToLeft(glyph.text)) right += 1;
    else if (isLeftToRightLetter(glyph.text)) left += 1;
  }
  return { right, left };
}

/** Lines in the order in which their text is read. Lines without right-to-left letters stay as they are. */
export function orderDirections(lines: readonly Line[]): Line[] {
  const counts = lines.map(countWays);
  const right = counts.reduce((sum, count) => sum + count.right, 0);
  if (right === 0) return [...lines];
  const pageIsRightToLeft = right > counts.reduce((sum, count) => sum + count.left, 0);
  return lines.map((line, index) => {
    const count = counts[index];
    if (count === undefined || count.right === 0) return line;
    const rightToLeft = pageIsRightToLeft || count.right > count.left;
    const clusters = withSpaces(clustersOf(line), line.size);
    straightenBrackets(clusters);
    const read = rightToLeft ? readRightToLeft(clusters) : readLeftToRight(clusters);
    return (
      makeLine(
        read.flatMap((cluster) => cluster.glyphs),
        line.turn,
        rightToLeft,
      ) ?? line
    );
  });
}
