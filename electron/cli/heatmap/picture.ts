import type { DocumentSummary } from "../../contract/document.ts";
import { LongsightError } from "../../contract/errors.ts";
import { type Passage, passagesOf } from "../../contract/passages.ts";
import { shadeScale } from "../../contract/shades.ts";
import { pdfSource } from "../../engine/documents/documents.ts";
import { openPdfSession, type PdfSession } from "../../engine/documents/pdf/session.ts";
import type { HeatmapOf } from "./json.ts";
import { type Pixels, paintMarks } from "./marks.ts";
import type { Picture } from "./png.ts";
import { drawable, encoded, stripPdf } from "./stripPdf.ts";
import { layStrip, pixelsPerPoint, type Strip } from "./strips.ts";
import { aboutOf, legendOf, legendSentence, scaleOf } from "./words.ts";

/** Most pages of one picture: more make one that few programs open. */
export const mostPages = 12;
/** Pixels between columns, and the least width of one: captions need some. */
const gap = 12;
const leastWidth = 240;
const background = 0xe4;
/** Most of a question on the picture; all of it is in the description. */
const mostCharacters = 400;
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

type CaptionedPage = DrawnPage & { readonly caption: Strip };

/** Where a document's bytes come from, and how its pages are drawn. */
export type PageSource = {
  readonly workerPath: string;
  bytesOf(documentId: string): Promise<{ readonly bytes: Uint8Array; readonly password: string | null }>;
  readonly signal: AbortSignal;
};

/**
 * The pages of a heatmap's PDFs, shaded, in columns where they are many, each under its number; on top what was asked and what the looks
 * mean. Of more than {@link mostPages} pages those with the highest sum of scores are drawn.
 * @returns the picture, drawn as it is read; sentences about what it leaves out, and one about what it shows
 * @throws LongsightError `usage` for a document that has no pages to draw; as the rows come `document-…` and `cancelled`
 */
export function heatmapPicture(of: HeatmapOf, source: PageSource): { picture: Picture; notices: string[]; legend: string } {
  refuseTexts(of.documents);
  const passages = passagesOf(of.heatmap);
  const pages = choosePages(passages, of.documents);
  const columns = pages.length > 6 ? 3 : pages.length > 3 ? 2 : 1;
  const columnWidth = Math.max(leastWidth, ...pages.map((page) => page.width));
  const width = columns * columnWidth + (columns - 1) * gap;
  const head = layStrip([questionLine(of.question), drawable(aboutOf(of).join(" ")), legendOf(of)], width);
  const captioned = pages.map((page) => ({ ...page, caption: layStrip([captionOf(page, of.documents)], columnWidth, 1) }));
  const rows = Array.from({ length: Math.ceil(pages.length / columns) }, (_, row) => captioned.slice(row * columns, (row + 1) * columns));
  const height = rows.reduce((sum, row) => sum + heightOf(row), head.height);
  const notices = noticesOf(pages, passages, of);
  const legend = `${scaleOf(of, passages)} ${legendSentence(of)}`;
  const description = [of.question, ...aboutOf(of), legend, ...notices].join("\n");
  return { picture: { width, height, description, rows: draw({ head, rows, width, columnWidth }, of, passages, source) }, notices, legend };
}

/** The question, where its letters can be drawn. */
function questionLine(question: string): string {
  const line = question.normalize("NFC").replace(/\s+/g, " ").trim();
  const cut = line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line;
  return encoded(cut) === null
    ? "What would be kept for the question, which is in the picture’s description."
    : `What would be kept for “${cut}”`;
}

/** A page's number and its document's name, or the document's number where the name's letters cannot be drawn. */
function captionOf({ document, page }: DrawnPage, documents: readonly DocumentSummary[]): string {
  const name = document.name.normalize("NFC");
  if (encoded(name) !== null) return `Page ${page} · ${name}`;
  return documents.length > 1 ? `Page ${page} · document ${documents.indexOf(document) + 1}` : `Page ${page}`;
}

const heightOf = (row: readonly CaptionedPage[]) => Math.max(...row.map((page) => page.caption.height + page.height));

/** @throws LongsightError `usage`, naming the first document that is not a PDF */
export function refuseTexts(documents: readonly DocumentSummary[]): void {
  const text = documents.find(({ kind }) => kind !== "pdf");
  if (text === undefined) return;
  throw new LongsightError(
    "usage",
    `“${text.name}” is ${kindWords[text.kind]} and has no pages that could be drawn. Name a file that ends in .html with --out, which shades the text itself.`,
  );
}

const kindWords: Readonly<Record<DocumentSummary["kind"], string>> = {
  pdf: "a PDF",
  text: "plain text",
  markdown: "Markdown",
  docx: "a Word document",
  epub: "an EPUB book",
  html: "a web page",
};

function choosePages(passages: readonly Passage[], documents: readonly DocumentSummary[]): DrawnPage[] {
  const found = passages.flatMap((passage, order) => {
    const document = documents.find(({ id }) => id === passage.documentId);
    const summary = document?.pages[(passage.page ?? 0) - 1];
    if (document === undefined || summary === undefined) return [];
    const scale = Math.min(pixelsPerPoint, longestSide / Math.max(summary.width, summary.height));
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

function noticesOf(pages: readonly DrawnPage[], passages: readonly Passage[], { documents }: HeatmapOf): string[] {
  const total = passages.filter(({ kind }) => kind === "page").length;
  if (pages.length === total) return [];
  const named = pages.map((page) => numberOf(page, documents)).join(", ");
  return [`The picture shows the ${pages.length} pages with the highest scores, of ${total}: ${named}.`];
}

/** A page's number, after its document's where there are several. */
function numberOf({ document, page }: DrawnPage, documents: readonly DocumentSummary[]): string {
  return documents.length > 1 ? `${documents.indexOf(document) + 1}/${page}` : `${page}`;
}

type Layout = {
  readonly head: Strip;
  readonly rows: readonly (readonly CaptionedPage[])[];
  readonly width: number;
  readonly columnWidth: number;
};

async function* draw(
  { head, rows, width, columnWidth }: Layout,
  of: HeatmapOf,
  passages: readonly Passage[],
  source: PageSource,
): AsyncGenerator<Uint8Array> {
  const shadeOf = shadeScale(passages);
  const layerHeads = of.heatmap.layers * of.heatmap.heads;
  const strips = [head, ...rows.flat().map(({ caption }) => caption)];
  const letters = await openPdfSession(pdfSource(source.workerPath, "the captions"), stripPdf(strips), "", source.signal);
  const sessions = createSessions(source);
  const drawnStrip = async (strip: Strip) => {
    const pixels = pixelsOf(strip, await letters.draw(strips.indexOf(strip) + 1, strip, source.signal));
    // A legend's scores are shades themselves, and its levels quarters.
    const looks = { shadeOf: ({ score }: { readonly score: number }) => score, layerHeads: 4, pixelsPerPoint };
    paintMarks(pixels, { text: strip.passage.text, boxes: strip.boxes }, strip.passage, looks);
    return pixels;
  };
  const drawnPage = async (page: CaptionedPage) => {
    const session = await sessions.of(page.document);
    const pixels = pixelsOf(page, await session.draw(page.page, page, source.signal));
    const placed = await session.place(page.page, source.signal);
    paintMarks(pixels, placed, page.passage, { shadeOf, layerHeads, pixelsPerPoint: page.scale });
    return pixels;
  };
  try {
    yield (await drawnStrip(head)).data;
    for (const row of rows) {
      const board: Pixels = { data: new Uint8Array(3 * width * heightOf(row)).fill(background), width, height: heightOf(row) };
      for (const [column, page] of row.entries()) {
        const left = column * (columnWidth + gap);
        const caption = await drawnStrip(page.caption);
        for (const [place, value] of caption.data.entries()) caption.data[place] = (value * background) / 255;
        copyOnto(board, caption, left, 0);
        copyOnto(board, await drawnPage(page), left, caption.height);
      }
      yield board.data;
    }
  } finally {
    await Promise.all([sessions.close(), letters.close()]);
  }
}

/** What was drawn, or white where nothing could be. */
function pixelsOf({ width, height }: { readonly width: number; readonly height: number }, data: Uint8Array | null): Pixels {
  return { data: data ?? new Uint8Array(3 * width * height).fill(0xff), width, height };
}

function copyOnto(board: Pixels, { data, width, height }: Pixels, left: number, top: number): void {
  for (let y = 0; y < height; y++) {
    board.data.set(data.subarray(3 * y * width, 3 * (y + 1) * width), 3 * ((top + y) * board.width + left));
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
