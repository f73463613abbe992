import { z } from "zod";
import { documentIdSchema } from "./document.ts";

/**
 * How a snapshot's rows are stored: as they lie in the cache, or an f16 cache's rows in q8_0. That halves them and changes the last digits,
 * so that an answer after a restart may differ from one before.
 */
export const snapshotFormSchema = z.enum(["exact", "q8_0"]);
export type SnapshotForm = z.infer<typeof snapshotFormSchema>;

/** Bytes of disk that snapshots may take; 0: none is stored. */
export const snapshotBudgetSchema = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const defaultSnapshotBudgetBytes = 10_000_000_000;

export const snapshotSettingsSchema = z.object({
  budgetBytes: snapshotBudgetSchema.default(defaultSnapshotBudgetBytes),
  form: snapshotFormSchema.default("exact"),
});
export type SnapshotSettings = z.infer<typeof snapshotSettingsSchema>;

/** What is on disk. */
export const snapshotUsageSchema = z.object({
  folder: z.string(),
  settings: snapshotSettingsSchema,
  /** Bytes of all snapshots. */
  totalBytes: z.number().int().nonnegative(),
  /** Latest use first. */
  documents: z.array(
    z.object({
      documentId: documentIdSchema,
      /** As the file was called when it was read. */
      name: z.string(),
      /** What clearing it would free. What was read with several documents counts for each of them. */
      bytes: z.number().int().nonnegative(),
      /** Milliseconds since 1970. */
      usedAt: z.number().int().nonnegative(),
    }),
  ),
});
export type SnapshotUsage = z.infer<typeof snapshotUsageSchema>;
