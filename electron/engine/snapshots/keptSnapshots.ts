import { type KeptAbout, keptKey, tokenBytes } from "./keys.ts";
import { decodeTokens, fileNameOf, type SnapshotDocuments } from "./record.ts";
import type { Offer, SnapshotStore } from "./store.ts";

/** A kept cache of mode `once`, as bytes. */
export type KeptSnapshot = {
  /** KV heads. */
  readonly heads: number;
  /** Tokens kept for each head of each layer. */
  readonly budgets: readonly number[];
  /** Which tokens of the prompt were kept, ascending, u32 `[layer][KV head][budget of the layer]`. */
  readonly indices: Uint32Array;
  /** Keys and values of the kept tokens, and what was decoded behind them, as the context gives them out. */
  readonly rows: Uint8Array;
};

/** Kept caches on disk. They take their room, and go, as chunks do. */
export type KeptSnapshots = {
  /**
   * Hands a kept cache over to be written in the background.
   * @param tokens every token that was read into the cache before some were evicted
   */
  save(about: KeptAbout, tokens: Uint32Array, kept: KeptSnapshot, documents: SnapshotDocuments): Offer;
  /** Null: not stored, damaged, or cancelled. */
  load(about: KeptAbout, tokens: Uint32Array, signal: AbortSignal): Promise<KeptSnapshot | null>;
};

/** @param root of the loaded model's records in the form `exact`; null while it is not known */
export function createKeptSnapshots(store: SnapshotStore, root: () => string | null): KeptSnapshots {
  return {
    save(about, tokens, { heads, budgets, indices, rows }, documents) {
      const own = root();
      if (own === null) return "refused";
      return store.offer({
        metadata: { kind: "kept", root: own, documents, about, heads, budgets: [...budgets] },
        key: keptKey(own, about, tokens),
        tokens,
        sections: new Map([
          ["tokens", tokenBytes(tokens)],
          ["indices", tokenBytes(indices)],
          ["rows", rows],
        ]),
      });
    },
    async load(about, tokens, signal) {
      const own = root();
      if (own === null) return null;
      await store.refresh();
      const name = fileNameOf(keptKey(own, about, tokens), "kept");
      const record = await store.load(name, signal);
      if (record === null || record.metadata.kind !== "kept") return null;
      const { heads, budgets } = record.metadata;
      const indices = decodeTokens(record.sections.get("indices") ?? new Uint8Array(0));
      const rows = record.sections.get("rows");
      const kept = budgets.reduce((sum, budget) => sum + budget, 0) * heads;
      if (rows === undefined || indices?.length !== kept) return null;
      await store.touch([name]);
      return { heads, budgets, indices, rows };
    },
  };
}
