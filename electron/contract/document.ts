import { z } from "zod";
import { noticesSchema } from "./said.ts";

/**
 * What a page's text is like: `no-text` (a picture or empty), `unreadable` (mostly broken characters), `rotated` (turned by /Rotate),
 * `recognised` (read out of the page's picture, so that letters may be wrong).
 */
export const pageFlagSchema = z.enum(["no-text", "unreadable", "rotated", "recognised"]);
export type PageFlag = z.infer<typeof pageFlagSchema>;

export const pageSummarySchema = z.object({
  /** 1-based. */
  page: z.number().int().positive(),
  /** Characters of the extracted text, in UTF-16 units. */
  characters: z.number().int().nonnegative(),
  flags: z.array(pageFlagSchema),
  /** Tokens of the page as it enters a prompt, under the loaded model; null while no model is loaded. */
  tokens: z.number().int().nonnegative().nullable(),
  /** Size as shown, in points (1/72 inch), after rotation. Documents without pages of their own have the size of an A4 page. */
  width: z.number().positive(),
  height: z.number().positive(),
  /** Heading that the page stands under; for documents without pages of their own. */
  title: z.string().optional(),
});
export type PageSummary = z.infer<typeof pageSummarySchema>;

export const documentKindSchema = z.enum(["pdf", "text", "markdown", "docx", "epub", "html"]);
export type DocumentKind = z.infer<typeof documentKindSchema>;

/** Languages whose text can be recognised in pictures, by tesseract's names. */
export const recognitionLanguageSchema = z.enum(["eng", "deu"]);
export type RecognitionLanguage = z.infer<typeof recognitionLanguageSchema>;

export const documentIdSchema = z.string().regex(/^[0-9a-f]{64}$/, "a SHA-256 in hexadecimal");

export const documentSummarySchema = z.object({
  /** SHA-256 of the file's bytes, in hexadecimal: the same content is the same document wherever it lies. */
  id: documentIdSchema,
  name: z.string().min(1),
  path: z.string().min(1),
  kind: documentKindSchema,
  /** What the document calls itself, where that is known. */
  title: z.string().optional(),
  bytes: z.number().int().nonnegative(),
  pages: z.array(pageSummarySchema),
  /** UTF-16 units of the whole text. */
  characters: z.number().int().nonnegative(),
  /** Tokens of the whole text under the loaded model; null while no model is loaded. */
  tokens: z.number().int().nonnegative().nullable(),
  /** True where a password was needed: it is asked for again after a restart, never stored. */
  locked: z.boolean(),
  /** One plain sentence for each thing to know before asking: pages without text, broken characters. */
  ...noticesSchema,
});
export type DocumentSummary = z.infer<typeof documentSummarySchema>;

/** What is known of a PDF before its text is read: enough to draw its pages. */
export const documentOutlineSchema = documentSummarySchema
  .pick({ id: true, name: true, path: true, locked: true })
  .extend({ pages: z.array(pageSummarySchema.pick({ page: true, width: true, height: true })).min(1) });
export type DocumentOutline = z.infer<typeof documentOutlineSchema>;

/** A document taken into a prompt, whole (`pages: null`) or the 1-based pages listed, ascending. */
export const documentChoiceSchema = z.object({
  documentId: documentIdSchema,
  pages: z.array(z.number().int().positive()).min(1).nullable(),
});
export type DocumentChoice = z.infer<typeof documentChoiceSchema>;

/** A document that was opened before, as the library lists it. */
export const libraryEntrySchema = z.object({
  id: documentIdSchema,
  name: z.string(),
  path: z.string(),
  kind: documentKindSchema,
  bytes: z.number().int().nonnegative(),
  pages: z.number().int().nonnegative(),
  locked: z.boolean(),
  /** What the document calls itself, where that is known. */
  title: z.string().nullable().default(null),
  /** Tokens of the whole text when they were counted last, and the model that counts so; null where they never were. */
  tokens: z.object({ count: z.number().int().nonnegative(), model: z.string() }).nullable().default(null),
  /** Milliseconds since 1970. */
  openedAt: z.number().int().nonnegative(),
});
export type LibraryEntry = z.infer<typeof libraryEntrySchema>;

/** A small picture of a document's first page: red, green and blue of each pixel, row by row. */
export const thumbnailSchema = z
  .object({ width: z.number().int().positive().max(512), height: z.number().int().positive().max(512), pixels: z.instanceof(Uint8Array) })
  .refine(({ width, height, pixels }) => pixels.length === 3 * width * height, "as many pixels as width and height say");
export type Thumbnail = z.infer<typeof thumbnailSchema>;

/** The text of one page in reading order, with the way back to the page. */
export const pageTextSchema = z.object({
  page: z.number().int().positive(),
  text: z.string(),
  /**
   * Four numbers for each UTF-16 unit of `text`: left, top, right, bottom in points from the page's top left corner as
   * shown (after rotation). All zero where a unit has no place of its own (a joined line end, a space we added).
   */
  boxes: z.instanceof(Float32Array),
});
export type PageText = z.infer<typeof pageTextSchema>;
