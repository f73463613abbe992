import { z } from "zod";
import { documentIdSchema } from "./document.ts";
import { saidSchema } from "./said.ts";

/** A passage that is never evicted: characters `start` … `end` − 1 of a page's text as `pageText` gives it, in UTF-16 units. */
export const pinSchema = z
  .object({
    documentId: documentIdSchema,
    /** 1-based. */
    page: z.number().int().positive(),
    start: z.number().int().nonnegative(),
    end: z.number().int().positive(),
  })
  .refine(({ start, end }) => start < end, "a passage has at least one character");
export type Pin = z.infer<typeof pinSchema>;

/** The pins of one conversation, in the order in which they were set. */
export const pinsSchema = z.array(pinSchema).max(1000);

/** A pin with the words it is on; `problem`: why it cannot be kept as things are, in a sentence (`said`: by name), and its text is then null. */
export const listedPinSchema = z.object({ pin: pinSchema, text: z.string().nullable(), problem: z.string().nullable(), said: saidSchema });
export type ListedPin = z.infer<typeof listedPinSchema>;
