import { z } from "zod";
import { recognitionLanguageSchema } from "../../../contract/document.ts";

/** What the OCR worker is told when it is started. */
export const ocrStartSchema = z.object({
  /** Where the bundled tesseractWorker.ts, its WebAssembly and the languages' data lie. */
  folder: z.string().min(1),
  languages: z.array(recognitionLanguageSchema).min(1),
});
export type OcrStart = z.infer<typeof ocrStartSchema>;

/** A page to be read: its picture, and its width on paper. */
export const toOcrWorkerSchema = z.object({
  /** Red, green and blue of each pixel, row by row. */
  pixels: z.instanceof(Uint8Array),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  /** Width of the page as shown, in points. */
  points: z.number().positive(),
});
export type PagePicture = z.infer<typeof toOcrWorkerSchema>;

export const fromOcrWorkerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("progress"), fraction: z.number().min(0).max(1) }),
  z.object({ kind: z.literal("recognised"), text: z.string(), boxes: z.instanceof(Float32Array) }),
  z.object({ kind: z.literal("failed"), detail: z.string() }),
]);
export type FromOcrWorker = z.infer<typeof fromOcrWorkerSchema>;
