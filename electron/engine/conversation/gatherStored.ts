import { LongsightError } from "../../contract/errors.ts";
import type { LoadedModel } from "../../contract/model.ts";
import type { CallOptions } from "../callOptions.ts";
import type { CacheShape, ModelContext } from "../llama/context.ts";
import type { GgufHeader } from "../llama/gguf.ts";
import { createKeptImage, type HeadBytes, type KeptImage } from "../llama/keptImage.ts";
import type { KeptTokens } from "../lookahead/scores.ts";
import { startProgress } from "../progress.ts";
import type { StoredPrefix } from "../snapshots/catalogue.ts";
import type { PromptSnapshots } from "../snapshots/promptSnapshots.ts";
import type { AssembledPrompt } from "./assemble.ts";
import { onGrid } from "./prefill.ts";
import type { PromptTail, TailSlot } from "./promptTail.ts";

/** All rows of a prompt, though no full cache holds them: most on disk, the last ones in memory. */
export type StoredRows = { readonly snapshots: PromptSnapshots; readonly stored: StoredPrefix; readonly tail: PromptTail };

/**
 * Finds the rows of a prompt whose full cache was freed.
 * @returns null where some are missing, were rounded, or cannot be taken apart by heads: sliding windows, layers with different heads
 * @throws LongsightError `cancelled`
 */
export async function findStoredRows(
  loaded: { readonly model: { readonly header: Pick<GgufHeader, "headBytes" | "slidingWindow"> }; readonly tail: Pick<TailSlot, "find"> },
  { prompt: { tokens }, snapshots }: { readonly prompt: Pick<AssembledPrompt, "tokens">; readonly snapshots: PromptSnapshots | null },
  signal: AbortSignal,
): Promise<StoredRows | null> {
  const { header } = loaded.model;
  const tail = loaded.tail.find(tokens);
  if (tail === null || snapshots?.form !== "exact" || header.slidingWindow > 0 || header.headBytes === null) return null;
  const limit = onGrid(tokens.length);
  const find = async () => {
    const stored = await snapshots.find({ inMemory: 0, limit, cells: Number.POSITIVE_INFINITY });
    return stored === null || stored.tokens < tail.start ? null : { snapshots, stored, tail };
  };
  const found = await find();
  if (found !== null) return found;
  // Just after an answer the last of its prompt may be waiting to be written, which takes less than reading it again.
  await snapshots.written(signal);
  return await find();
}

/**
 * Fills an empty kept cache from stored rows.
 * @returns false where one turned out to be gone or damaged, or is not of this model's layout, or they are more than one array holds: the
 *   cache is as empty as before
 * @throws LongsightError `cancelled`, `model-memory`
 */
export async function gatherStored(
  loaded: { readonly model: { readonly header: Pick<GgufHeader, "headBytes"> }; readonly description: Pick<LoadedModel, "kvType"> },
  { snapshots, stored, tail }: Omit<StoredRows, "snapshots"> & { readonly snapshots: Pick<PromptSnapshots, "read"> },
  small: Pick<ModelContext, "shape" | "rowBytes" | "writeKept">,
  kept: KeptTokens,
  { signal, emit }: CallOptions,
): Promise<boolean> {
  const headBytes = loaded.model.header.headBytes?.[loaded.description.kvType];
  const shape = small.shape();
  const rowBytes = small.rowBytes("exact");
  // The header says what the layout is; the cache itself has the last word.
  const isAlike = headBytes !== undefined && shape.layers * shape.heads * (headBytes.keys + headBytes.values) === rowBytes;
  if (!isAlike || shape.layers !== kept.layers || shape.heads !== kept.heads) return false;
  const image = imageOf(kept, shape, headBytes);
  if (image === null) return false;
  const progress = startProgress("restore", stored.tokens, emit);
  const onRows = (start: number, rows: Uint8Array) => image.add(start, rows, stored.tokens);
  if (!(await snapshots.read(stored, rowBytes, { signal, onProgress: progress.update }, onRows))) return false;
  image.add(tail.start, tail.rows, kept.tokens);
  return isTaken(small.writeKept(image.bytes));
}

/** Null where it would be more than an array may have (4 GB where the app runs), or than there is memory for at once. */
function imageOf(kept: KeptTokens, shape: CacheShape, headBytes: HeadBytes): KeptImage | null {
  try {
    return createKeptImage(kept, shape, headBytes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Whether a cache took what was written; one that refuses has changed nothing, and says no more than that the rows are to be read. */
async function isTaken(writing: Promise<void>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof LongsightError && error.code === "engine-failed") return false;
    throw error;
  }
}
