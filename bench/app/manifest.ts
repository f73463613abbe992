/** A PDF that is measured with. */
export type Pdf = {
  /** Below the manifest's folder, with `/`. */
  readonly file: string;
  readonly pages: number;
  readonly bytes: number;
};

/** Documents of more pages take minutes, and say nothing that those of fewer do not. */
const mostPages = 800;

/** Rows of a CSV file with quoted fields, by the names in its first line. */
export function parseCsv(text: string): Record<string, string>[] {
  const rows = text
    .trim()
    .split("\n")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replace(/""/g, '"') ?? plain ?? ""),
    );
  const [names = [], ...rest] = rows;
  return rest.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ""])));
}

/** Documents of the manifest of real PDFs with a text that every reader gets: what is hostile, locked or damaged measures something else. */
export function wholePdfs(manifest: string): Pdf[] {
  return parseCsv(manifest)
    .filter((row) => row["pdfjs"] === "opens" && row["mupdf"] === "opens" && row["password"] === "" && row["category"] !== "hostile")
    .filter((row) => Number(row["chars_first12_pdfjs"]) > 0)
    .map((row) => ({ file: row["file"] ?? "", pages: Number(row["pages"]), bytes: Number(row["size"]) }))
    .filter(({ pages }) => pages >= 1 && pages <= mostPages);
}

/** Half of them long and half of them small, each half evenly by pages; by pages in the end. */
export function chooseDocuments(pdfs: readonly Pdf[], count: number): Pdf[] {
  const isLong = ({ file }: Pdf) => file.startsWith("long/");
  const long = evenly(pdfs.filter(isLong), Math.ceil(count / 2));
  const small = evenly(
    pdfs.filter((pdf) => !isLong(pdf)),
    count - long.length,
  );
  return [...small, ...long].sort(byPages);
}

/** The least and the greatest, and those between them at even distances. */
function evenly(pdfs: readonly Pdf[], count: number): Pdf[] {
  const sorted = [...pdfs].sort(byPages);
  if (sorted.length <= count) return sorted;
  const stride = (sorted.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, index) => sorted[Math.round(index * stride)]).filter((pdf) => pdf !== undefined);
}

const byPages = (one: Pdf, other: Pdf): number => one.pages - other.pages || (one.file < other.file ? -1 : 1);
