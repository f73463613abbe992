import { z } from "zod";
import { answerFiguresSchema, conversationChoiceSchema, turnSchema, turnStatusSchema } from "../../contract/conversation.ts";
import { documentChoiceSchema, libraryEntrySchema, thumbnailSchema } from "../../contract/document.ts";
import { problemSchema } from "../../contract/errors.ts";
import { pinSchema } from "../../contract/pin.ts";

const jsonOf = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, context) => {
      try {
        const value: unknown = JSON.parse(text);
        return value;
      } catch {
        context.addIssue({ code: "custom", message: "not JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);

/** What the list of conversations says of one. */
export const summaryRow = z.object({ id: z.string(), title: z.string(), createdAt: z.number(), updatedAt: z.number() });

export const conversationRow = summaryRow.extend({
  documents: jsonOf(z.array(documentChoiceSchema)).catch([]),
  pins: jsonOf(z.array(pinSchema)).catch([]),
  choice: jsonOf(conversationChoiceSchema).nullable().catch(null),
  draft: z.string().catch(""),
});

export const turnRow = turnSchema.omit({ status: true, figures: true, problem: true }).extend({
  status: turnStatusSchema.catch("interrupted"),
  figures: jsonOf(answerFiguresSchema).nullable().catch(null),
  problem: jsonOf(problemSchema).nullable().catch(null),
});

export const libraryRow = libraryEntrySchema
  .omit({ tokens: true })
  .extend({ locked: z.number().transform((value) => value !== 0), count: z.number().nullable(), model: z.string().nullable() })
  .transform(({ count, model, ...entry }) => ({ ...entry, tokens: count === null || model === null ? null : { count, model } }));

export const thumbnailRow = z
  .object({ pixels: z.instanceof(Uint8Array), width: z.number().int().positive() })
  .transform(({ pixels, width }) => ({ pixels: Uint8Array.from(pixels), width, height: pixels.length / 3 / width }))
  .pipe(thumbnailSchema);

/** The rows that can be read: a damaged one does not hide the others. */
export function readable<Schema extends z.ZodType>(schema: Schema, rows: readonly unknown[]): z.output<Schema>[] {
  return rows.map((row) => schema.safeParse(row)).flatMap((parsed) => (parsed.success ? [parsed.data] : []));
}

/** libsql reads a text only up to its first NUL. */
export const withoutNul = (text: string) => text.replaceAll("\0", "\uFFFD");

export const summaryColumns = "id, title, created_at AS createdAt, updated_at AS updatedAt";
export const conversationColumns = `${summaryColumns}, documents, pins, choice, draft`;
export const turnColumns = "id, question, answer, status, figures, problem, created_at AS createdAt";
