import { createHash } from "node:crypto";
import { z } from "zod";
import { kvTypeSchema } from "../../contract/model.ts";
import { snapshotFormSchema } from "../../contract/snapshots.ts";
import { gridTokens, onGrid } from "../conversation/prefill.ts";

/** Raised when a file's layout or the meaning of a key changes: older snapshots are then not found any more. */
export const formatVersion = 1;

/** Tokens of a chunk: eight lines of the prefill grid, so that its end is always a step's end. */
export const chunkTokens = 8 * gridTokens;

export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/, "a SHA-256 in hexadecimal");

/** Everything besides the tokens that decides what a row of keys and values is, bit for bit. */
export const identitySchema = z.object({
  /** SHA-256 of the model's whole file. */
  model: hashSchema,
  /** SHA-256 of the chat template. */
  template: hashSchema,
  kvType: kvTypeSchema,
  form: snapshotFormSchema,
  /** Name of the native build, which holds the hash of its patches, sources and options. */
  build: z.string(),
  addonVersion: z.number().int(),
  /** CPU variant and GPU: their kernels round differently (decision 9). */
  variant: z.string(),
  gpu: z.string().nullable(),
  /** Null for a model whose keys do not depend on it; LongRoPE takes other factors in a longer context. */
  contextLength: z.number().int().positive().nullable(),
});
export type SnapshotIdentity = z.output<typeof identitySchema>;

const sha256 = () => createHash("sha256");

/** The key that every chain of this identity begins with. */
export function rootOf(identity: SnapshotIdentity): string {
  const { model, template, kvType, form, build, addonVersion, variant, gpu, contextLength } = identity;
  const facts = [formatVersion, model, template, kvType, form, build, addonVersion, variant, gpu, contextLength];
  return sha256()
    .update(`longsight snapshots ${JSON.stringify(facts)}`)
    .digest("hex");
}

/** Bytes of tokens as they are hashed and stored: u32, little-endian as every machine here is. */
export function tokenBytes(tokens: Uint32Array): Uint8Array {
  return new Uint8Array(tokens.buffer, tokens.byteOffset, tokens.byteLength);
}

/** @param previous key of the chunk before, or the root */
export function chunkKey(previous: string, tokens: Uint32Array): string {
  return sha256().update(`chunk ${previous} `).update(tokenBytes(tokens)).digest("hex");
}

/** What a kept cache of mode `once` is known by, besides its model. */
export const keptAboutSchema = z.object({
  policy: z.string().min(1),
  /** As asked: tokens kept per layer and KV head. */
  budget: z.number().int().positive(),
  /** Whatever else decided what is kept, in the caller's words: the lookahead module's hash, a seed, pins, earlier turns. */
  choice: z.string(),
});
export type KeptAbout = z.output<typeof keptAboutSchema>;

/** @param tokens every token that was read into the cache before some were evicted */
export function keptKey(root: string, { policy, budget, choice }: KeptAbout, tokens: Uint32Array): string {
  return sha256()
    .update(`kept ${root} ${JSON.stringify([policy, budget, choice])} `)
    .update(tokenBytes(tokens))
    .digest("hex");
}

/** Chunks between two ends at which the window of a sliding-window model is stored while it reads. */
const windowEvery = 4;

/**
 * Where a sliding-window model's window is stored while a prompt is read: every 2,048 tokens for a reading that is broken off, at the last
 * whole chunk for another question about the same document, and at the last grid line for the next one in the conversation.
 */
export function windowEnds(promptTokens: number): number[] {
  const stride = windowEvery * chunkTokens;
  const ends = Array.from({ length: Math.floor(promptTokens / stride) }, (_, index) => (index + 1) * stride);
  return [...new Set([...ends, Math.floor(promptTokens / chunkTokens) * chunkTokens, onGrid(promptTokens)])].filter((end) => end > 0);
}
