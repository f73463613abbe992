import type { KeptTokens, Shape } from "./scores.ts";

/** What is known of kept caches of the loaded model because they were there: their layout, and how many bytes they took. */
export type KeptSizes = {
  /** Layers and KV heads that are kept from; null until something was. */
  layout(): Pick<Shape, "layers" | "heads"> | null;
  see(kept: KeptTokens): void;
  /** Bytes that the last cache with these budgets took, whatever room it had for an answer; null where none was allocated yet. */
  find(budgets: Uint32Array): number | null;
  put(budgets: Uint32Array, bytes: number): void;
};

/** Sizes that are remembered; the oldest are forgotten. */
const most = 256;

export function createKeptSizes(): KeptSizes {
  const sizes = new Map<string, number>();
  let layout: Pick<Shape, "layers" | "heads"> | null = null;
  const keyOf = (budgets: Uint32Array) => budgets.join(" ");
  return {
    layout: () => layout,
    see({ layers, heads }) {
      layout = { layers, heads };
    },
    find: (budgets) => sizes.get(keyOf(budgets)) ?? null,
    put(budgets, bytes) {
      sizes.set(keyOf(budgets), bytes);
      const [oldest] = sizes.keys();
      if (sizes.size > most && oldest !== undefined) sizes.delete(oldest);
    },
  };
}
