import { z } from "zod";
import { documentIdSchema } from "./document.ts";

/** A sentence of an answer (UTF-16 units of the answer), and the pages whose words it shares, the best first. */
export const citationSchema = z.object({
  start: z.number().int().nonnegative(),
  end: z.number().int().positive(),
  pages: z
    .array(z.object({ documentId: documentIdSchema, name: z.string(), page: z.number().int().positive(), pageCount: z.number().int() }))
    .min(1),
});
export type Citation = z.infer<typeof citationSchema>;

export const exportFormatSchema = z.enum(["markdown", "json", "html"]);
export type ExportFormat = z.infer<typeof exportFormatSchema>;

/** A conversation as text of a file; `name` is one for it, without folder. */
export const exportedSchema = z.object({ name: z.string().min(1).max(120), text: z.string() });
export type Exported = z.infer<typeof exportedSchema>;
