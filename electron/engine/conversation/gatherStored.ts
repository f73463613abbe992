import type { CallOptions } from "../callOptions.ts";
import type { ModelContext } from "../llama/context.ts";
import { createKeptImage } from "../llama/keptImage.ts";
import type { KeptTokens } from "../lookahead/scores.ts";
import { startProgress } from "../progress.ts";
import type { Loaded } from "../session.ts";
import type { StoredPrefix } from "../snapshots/catalogue.ts";
import type { PromptSnapshots } from "../snapshots/promptSnapshots.ts";
import type { LastPrompt } from "./lastPrompt.ts";
import { onGrid } from "./prefill.ts";
import type { PromptTail } from "./promptTail.ts";

/** All rows of a prompt, though no full cache holds them: most on disk, the last ones in memory. */
export type StoredRows = { readonly snapshots: PromptSnapshots; readonly stored: StoredPrefix; readonly tail: PromptTail };

/**
 * Finds the rows of a prompt whose full cache was freed.
 * @returns null where some are missing, were rounded, or cannot be taken apart by heads: sliding windows, layers with different heads
 */
export async function findStoredRows(loaded: Loaded, { prompt: { tokens }, snapshots }: LastPrompt): Promise<StoredRows | null> {
  const { header } = loaded.model;
  const tail = loaded.tail.find(tokens);
  if (tail === null || snapshots?.form !== "exact" || header.slidingWindow > 0 || header.headBytes === null) return null;
  const limit = onGrid(tokens.length);
  const stored = await snapshots.find({ inMemory: 0, limit, cells: Number.POSITIVE_INFINITY });
  return stored === null || stored.tokens < tail.start ? null : { snapshots, stored, tail };
}

/**
 * Fills an empty kept cache from stored rows.
 * @returns false where one turned out to be gone or damaged, or is not of this model's layout: the cache is as empty as before
 * @throws LongsightError `cancelled`, `model-memory`
 */
export async function gatherStored(
  loaded: Pick<Loaded, "model" | "description">,
  { snapshots, stored, tail }: StoredRows,
  small: ModelContext,
  kept: KeptTokens,
  { signal, emit }: CallOptions,
): Promise<boolean> {
  const headBytes = loaded.model.header.headBytes?.[loaded.description.kvType];
  const shape = small.shape();
  const rowBytes = small.rowBytes("exact");
  // The header says what the layout is; the cache itself has the last word.
  const isAlike = headBytes !== undefined && shape.layers * shape.heads * (headBytes.keys + headBytes.values) === rowBytes;
  if (!isAlike || shape.layers !== kept.layers || shape.heads !== kept.heads) return false;
  const image = createKeptImage(kept, shape, headBytes);
  const progress = startProgress("restore", stored.tokens, emit);
  const onRows = (start: number, rows: Uint8Array) => image.add(start, rows, stored.tokens);
  if (!(await snapshots.read(stored, rowBytes, { signal, onProgress: progress.update }, onRows))) return false;
  image.add(tail.start, tail.rows, kept.tokens);
  await small.writeKept(image.bytes);
  return true;
}
