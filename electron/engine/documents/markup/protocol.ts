import { z } from "zod";
import { messageSchema } from "../../../contract/said.ts";
import { markupFailureSchema } from "./failure.ts";

export const markupKindSchema = z.enum(["docx", "epub", "html"]);
export type MarkupKind = z.infer<typeof markupKindSchema>;

/** What the worker is given at its start: one file, which it reads once. */
export const markupStartSchema = z.object({ kind: markupKindSchema, bytes: z.instanceof(Uint8Array) });
export type MarkupStart = z.infer<typeof markupStartSchema>;

const markupTextSchema = z.object({
  /** What the document calls itself. */
  title: z.string().nullable(),
  sections: z.array(z.object({ title: z.string().nullable(), text: z.string() })),
  notices: z.array(messageSchema),
});
export type MarkupText = z.infer<typeof markupTextSchema>;

export const fromMarkupWorkerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("progress"), done: z.number().int().nonnegative(), total: z.number().int().positive() }),
  z.object({ kind: z.literal("read"), text: markupTextSchema }),
  z.object({ kind: z.literal("failed"), reason: markupFailureSchema, detail: z.string() }),
]);
export type FromMarkupWorker = z.infer<typeof fromMarkupWorkerSchema>;
