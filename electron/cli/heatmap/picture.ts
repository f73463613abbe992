import type { DocumentSummary } from "../../contract/document.ts";
import { LongsightError } from "../../contract/errors.ts";
import { pdfSource } from "../../engine/documents/documents.ts";
import { openPdfSession, type PdfSession } from "../../engine/documents/pdf/session.ts";
import { caption, captionHeight } from "./captions.ts";
import type { HeatmapOf } from "./json.ts";
import { type Pixels, paintMarks } from "./marks.ts";
import { type Passage, passagesOf } from "./passages.ts";
import type { Picture } from "./png.ts";
import { shadeScale } from "./shades.ts";

/** Most pages of one picture: more make one that few programs open. */
export const mostPages = 12;
/** Text of 10 points is then 15 pixels high. */
const usualScale = 1.5;
/** Most pixels of a page's longer side: posters come smaller. */
const longestSide = 2000;

type DrawnPage = {
  readonly document: DocumentSummary;
  readonly passage: Passage;
  readonly page: number;
  readonly scale: number;
  readonly width: number;
  readonly height: number;
};

/** Where a document's bytes come from, and how its pages are drawn. */
export type PageSource = {
  readonly workerPath: string;
  bytesOf(documentId: string): Promise<{ readonly bytes: Uint8Array; readonly password: string | null }>;
  readonly signal: AbortSignal;
};

/**
 * The pages of a heatmap's PDFs, shaded, one below the other, each under its number. Of more than {@link mostPages} pages those with the
 * highest sum of scores are drawn.
 * @returns the picture, drawn as it is read, and sentences about what it shows and leaves out
 * @throws LongsightError `usage` for a document that has no pages to draw; as the rows come `document-…` and `cancelled`
 */
export function heatmapPicture(of: HeatmapOf, source: PageSource): { picture: Picture; notices: string[] } {
  refuseTexts(of.documents);
  const passages = passagesOf(of.heatmap);
  const pages = choosePages(passages, of.documents);
  const width = Math.max(...pages.map((page) => page.width));
  const height = pages.reduce((sum, page) => sum + captionHeight + page.height, 0);
  const notices = noticesOf(pages, passages, of);
  const { policy, keptTokens, promptTokens } = of.heatmap;
  const description = `${of.question}\nPolicy ${policy}, ${keptTokens} of ${promptTokens} tokens kept. ${notices.join(" ")}`;
  return { picture: { width, height, description, rows: draw(pages, width, of, passages, source) }, notices };
}

/** @throws LongsightError `usage`, naming the first document that is not a PDF */
export function refuseTexts(documents: readonly DocumentSummary[]): void {
  const text = documents.find(({ kind }) => kind !== "pdf");
  if (text === undefined) return;
  throw new LongsightError(
    "usage",
    `“${text.name}” is ${text.kind === "text" ? "plain text" : "Markdown"} and has no pages that could be drawn. Name a file that ends in .html with --out, which shades the text itself.`,
  );
}

function choosePages(passages: readonly Passage[], documents: readonly DocumentSummary[]): DrawnPage[] {
  const found = passages.flatMap((passage, order) => {
    const document = documents.find(({ id }) => id === passage.documentId);
    const summary = document?.pages[(passage.page ?? 0) - 1];
    if (document === undefined || summary === undefined) return [];
    const scale = Math.min(usualScale, longestSide / Math.max(summary.width, summary.height));
    const side = (points: number) => Math.max(1, Math.round(points * scale));
    const page = { document, passage, page: summary.page, scale, width: side(summary.width), height: side(summary.height) };
    return [
      {
        ...page,
        order,
        weight: passage.cells.reduce((sum, cell) => sum + cell.score, 0),
        kept: passage.cells.reduce((sum, cell) => sum + cell.kept, 0),
      },
    ];
  });
  return found
    .sort((one, other) => other.weight - one.weight || other.kept - one.kept || one.order - other.order)
    .slice(0, mostPages)
    .sort((one, other) => one.order - other.order);
}

function noticesOf(pages: readonly DrawnPage[], passages: readonly Passage[], { documents, heatmap }: HeatmapOf): string[] {
  const total = passages.filter(({ kind }) => kind === "page").length;
  const named = pages.map((page) => numberOf(page, documents)).join(", ");
  const notices: string[] = [];
  if (pages.length < total) notices.push(`The picture shows the ${pages.length} pages with the highest scores, of ${total}: ${named}.`);
  const scored = heatmap.scores.some((score) => score > 0);
  notices.push(
    scored
      ? "Shades are by rank: from pale, the 40 % of the tokens with the highest scores, to the darkest, 1 %. Underlined: kept in a quarter of the heads (dotted), half, three quarters (thick)."
      : "This policy has no scores, so nothing is shaded. Underlined: kept in a quarter of the heads (dotted), half, three quarters (thick).",
  );
  return notices;
}

/** A page's number, after its document's where there are several. */
function numberOf({ document, page }: DrawnPage, documents: readonly DocumentSummary[]): string {
  return documents.length > 1 ? `${documents.indexOf(document) + 1}/${page}` : `${page}`;
}

async function* draw(
  pages: readonly DrawnPage[],
  width: number,
  of: HeatmapOf,
  passages: readonly Passage[],
  source: PageSource,
): AsyncGenerator<Uint8Array> {
  const shadeOf = shadeScale(passages);
  const layerHeads = of.heatmap.layers * of.heatmap.heads;
  const sessions = createSessions(source);
  try {
    for (const page of pages) {
      const session = await sessions.of(page.document);
      const data = await session.draw(page.page, page, source.signal);
      const pixels: Pixels = {
        data: data ?? new Uint8Array(3 * page.width * page.height).fill(0xff),
        width: page.width,
        height: page.height,
      };
      const placed = await session.place(page.page, source.signal);
      paintMarks(pixels, placed, page.passage, { shadeOf, layerHeads, pixelsPerPoint: page.scale });
      yield caption(numberOf(page, of.documents), width).data;
      yield widened(pixels, width);
    }
  } finally {
    await sessions.close();
  }
}

/** One open document at a time: pages come in the documents' order. */
function createSessions({ bytesOf, workerPath, signal }: PageSource) {
  let open: { readonly id: string; readonly session: PdfSession } | null = null;
  const close = async () => open?.session.close();
  return {
    close,
    async of({ id, name }: DocumentSummary): Promise<PdfSession> {
      if (open?.id === id) return open.session;
      await close();
      const { bytes, password } = await bytesOf(id);
      // A copy: the thread is given the bytes for good.
      const session = await openPdfSession(pdfSource(workerPath, name), Uint8Array.from(bytes), password ?? "", signal);
      open = { id, session };
      return session;
    },
  };
}

/** A page on the left of a wider strip. */
function widened({ data, width, height }: Pixels, wanted: number): Uint8Array {
  if (width === wanted) return data;
  const strip = new Uint8Array(3 * wanted * height).fill(0xe4);
  for (let y = 0; y < height; y++) strip.set(data.subarray(3 * y * width, 3 * (y + 1) * width), 3 * y * wanted);
  return strip;
}
