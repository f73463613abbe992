import { z } from "zod";
import { documentIdSchema } from "./document.ts";

/** Most sentences that are kept with an answer. */
export const mostEvidence = 4;
/** Characters of a sentence that are kept with an answer: enough to know it by. Its place is that of the whole sentence. */
export const mostEvidenceCharacters = 400;

/** A sentence that the scores of an answer's policy rank highest: units `start` … `end` − 1 of a page's text, as `pageText` gives it. */
export const evidenceSchema = z.object({
  documentId: documentIdSchema,
  /** 1-based. */
  page: z.number().int().positive(),
  start: z.number().int().nonnegative(),
  end: z.number().int().positive(),
  text: z.string().max(mostEvidenceCharacters + 1),
});
export type Evidence = z.infer<typeof evidenceSchema>;
