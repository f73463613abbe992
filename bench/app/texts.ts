import { medianOf } from "../quality/averages.ts";

/** Who takes the text out of PDFs: the app's own reader, and pdf.js. */
export const readers = ["longsight", "pdf.js"] as const;
export type Reader = (typeof readers)[number];

/** All text of one document by one reader. */
export type ReadText = { readonly name: string; readonly pages: number; readonly characters: number; readonly ms: number };
export type TextTurn = { readonly reader: Reader; readonly round: number; readonly load: number; readonly texts: readonly ReadText[] };

/** A document by every reader that read it: medians over the rounds. */
export type TextSummary = {
  readonly name: string;
  readonly pages: number;
  readonly by: readonly { readonly reader: Reader; readonly ms: number; readonly characters: number }[];
};

/** Below, opening a file takes more than its pages. */
export const longPages = 20;

/** By pages, ascending. */
export function summariseTexts(turns: readonly TextTurn[]): TextSummary[] {
  const names = [...new Set(turns.flatMap(({ texts }) => texts.map(({ name }) => name)))];
  return names
    .map((name): TextSummary => {
      const of = (reader: Reader) =>
        turns.filter((turn) => turn.reader === reader).flatMap(({ texts }) => texts.filter((text) => text.name === name));
      const by = readers.flatMap((reader) => {
        const [about] = of(reader);
        return about === undefined ? [] : [{ reader, ms: medianOf(of(reader).map(({ ms }) => ms)), characters: about.characters }];
      });
      return { name, pages: Math.max(0, ...readers.flatMap((reader) => of(reader).map(({ pages }) => pages))), by };
    })
    .sort((one, other) => one.pages - other.pages);
}

/** Pages of all documents that every reader has read, by the time that one took for them. @returns null where there are none */
export function pagesPerSecond(documents: readonly TextSummary[], reader: Reader, leastPages = 1): number | null {
  const all = new Set(documents.flatMap(({ by }) => by.map((one) => one.reader)));
  const common = documents.filter(({ pages, by }) => pages >= leastPages && by.length === all.size);
  const ms = common.reduce((sum, { by }) => sum + (by.find((one) => one.reader === reader)?.ms ?? 0), 0);
  return ms === 0 ? null : (common.reduce((sum, { pages }) => sum + pages, 0) / ms) * 1000;
}
