import type { KeptTokens, Shape } from "./scores.ts";

/** What is known of kept caches of the loaded model because they were there: their layout, and how many bytes they took. */
export type KeptSizes = {
  /** Layers and KV heads that are kept from; null until something was. */
  layout(): Pick<Shape, "layers" | "heads"> | null;
  see(kept: KeptTokens): void;
  /** Bytes that a cache with these budgets and so much room took; null where none was allocated yet. */
  find(budgets: Uint32Array, room: number): number | null;
  put(budgets: Uint32Array, room: number, bytes: number): void;
};

/** Sizes that are remembered; the oldest are forgotten. */
const most = 256;

export function createKeptSizes(): KeptSizes {
  const sizes = new Map<string, number>();
  let layout: Pick<Shape, "layers" | "heads"> | null = null;
  const keyOf = (budgets: Uint32Array, room: number) => `${room}: ${budgets.join(" ")}`;
  return {
    layout: () => layout,
    see({ layers, heads }) {
      layout = { layers, heads };
    },
    find: (budgets, room) => sizes.get(keyOf(budgets, room)) ?? null,
    put(budgets, room, bytes) {
      sizes.set(keyOf(budgets, room), bytes);
      const [oldest] = sizes.keys();
      if (sizes.size > most && oldest !== undefined) sizes.delete(oldest);
    },
  };
}
