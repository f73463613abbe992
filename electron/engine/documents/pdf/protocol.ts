import { z } from "zod";
import { pageSummarySchema } from "../../../contract/document.ts";
import { parseAt } from "../../../contract/parse.ts";

/** What the PDF worker is told when it is started. */
export const workerStartSchema = z.object({
  wasmPath: z.string().min(1),
  /** PDFium's memory may not grow past this many bytes. */
  memoryLimitBytes: z.number().int().positive(),
});
export type WorkerStart = z.infer<typeof workerStartSchema>;

/** Most pixels of a drawn page's side. */
const largestSide = 8192;

export const toWorkerSchema = z.discriminatedUnion("kind", [
  /** Opens a document; a worker has one in its life. */
  z.object({ kind: z.literal("open"), bytes: z.instanceof(Uint8Array), password: z.string() }),
  /** Extracts every page: `sizes` where they are soon found, `page` for each, then `finished`. */
  z.object({ kind: z.literal("extract") }),
  /** Extracts one page with its boxes: `placed`. */
  z.object({ kind: z.literal("place"), page: z.number().int().positive() }),
  /** Draws one page, as shown, into so many pixels: `drawn`. */
  z.object({
    kind: z.literal("draw"),
    page: z.number().int().positive(),
    width: z.number().int().positive().max(largestSide),
    height: z.number().int().positive().max(largestSide),
  }),
]);
export type ToWorker = z.infer<typeof toWorkerSchema>;

export const pdfPageSchema = pageSummarySchema.omit({ tokens: true }).extend({
  text: z.string(),
  /** PDFium could not read the page itself. */
  broken: z.boolean(),
});
export type PdfPage = z.infer<typeof pdfPageSchema>;

export const fromWorkerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("opened"), pages: z.number().int().positive(), locked: z.boolean() }),
  /** Width and height of each page in points, as shown. */
  z.object({ kind: z.literal("sizes"), sizes: z.instanceof(Float32Array) }),
  z.object({ kind: z.literal("page"), page: pdfPageSchema }),
  z.object({ kind: z.literal("finished") }),
  z.object({ kind: z.literal("placed"), text: z.string(), boxes: z.instanceof(Float32Array) }),
  /** Red, green and blue of each pixel, row by row; null where PDFium cannot read the page. */
  z.object({ kind: z.literal("drawn"), pixels: z.instanceof(Uint8Array).nullable() }),
  z.object({
    kind: z.literal("failed"),
    /** `internal`: a fault of ours, not of the file. */
    reason: z.enum(["password", "damaged", "encryption", "memory", "internal"]),
    detail: z.string(),
  }),
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;
export type WorkerFailure = Extract<FromWorker, { kind: "failed" }>["reason"];

export function parseFromWorker(message: unknown): FromWorker {
  return parseAt("message of the PDF worker", fromWorkerSchema, message);
}

export function parseToWorker(message: unknown): ToWorker {
  return parseAt("message to the PDF worker", toWorkerSchema, message);
}
