import { z } from "zod";
import { idSchema } from "./conversation.ts";
import { documentIdSchema } from "./document.ts";

const rangeSchema = z.object({ start: z.number().int().nonnegative(), end: z.number().int().positive() });

/** A piece of a text, and in UTF-16 units where the words that were looked for stand in it: ascending, without overlap. */
export const excerptSchema = z.object({ text: z.string(), marks: z.array(rangeSchema) });
export type Excerpt = z.infer<typeof excerptSchema>;

/** A place in the conversations where all words of a search are. */
export const conversationHitSchema = z.object({
  conversationId: idSchema,
  title: z.string(),
  /** The turn, in view or not; null for the conversation's title. */
  turnId: idSchema.nullable(),
  part: z.enum(["title", "question", "answer"]),
  excerpt: excerptSchema,
  /** Milliseconds since 1970: when it was asked. */
  at: z.number().int().nonnegative(),
});
export type ConversationHit = z.infer<typeof conversationHitSchema>;

/** What a search in the conversations found; `more`: there is more than is listed. */
export const conversationHitsSchema = z.object({ hits: z.array(conversationHitSchema), more: z.boolean() });
export type ConversationHits = z.infer<typeof conversationHitsSchema>;

/** Where a text stands in a document: UTF-16 units of the page's text as `pageText` gives it. */
export const documentHitSchema = rangeSchema.extend({ page: z.number().int().positive() });
export type DocumentHit = z.infer<typeof documentHitSchema>;

/** What a search in a document found, in its order; `more`: there is more than is listed. */
export const documentHitsSchema = z.object({ documentId: documentIdSchema, hits: z.array(documentHitSchema), more: z.boolean() });
export type DocumentHits = z.infer<typeof documentHitsSchema>;

/** What is looked for: the text as it was typed. */
export const searchTextSchema = z.string().trim().min(1).max(200);
