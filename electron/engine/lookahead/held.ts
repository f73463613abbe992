import type { KeptTokens, Shape } from "./scores.ts";

/**
 * What a cache holds of everything that was read into it, by position in the text: the way back from a kept cache's own counting, which
 * begins anew at each eviction.
 */
export type HeldTokens = {
  readonly layers: number;
  readonly heads: number;
  /** Tokens read so far: the next position. */
  readonly end: number;
  /** Positions of the tokens that each KV head of each layer holds, ascending; `[layer × heads + head]`. */
  readonly rows: readonly Uint32Array[];
};

/** An empty cache's. */
export function nothingHeld({ layers, heads }: Pick<Shape, "layers" | "heads">): HeldTokens {
  return { layers, heads, end: 0, rows: Array.from({ length: layers * heads }, () => new Uint32Array(0)) };
}

/** What is held after tokens were kept from a cache that held all it had read. */
export function heldOf(kept: KeptTokens): HeldTokens {
  return { layers: kept.layers, heads: kept.heads, end: kept.tokens, rows: rowsOf(kept) };
}

/** The same, and every token from there up to `end` as well. */
export function heldUntil(held: HeldTokens, end: number): HeldTokens {
  if (end === held.end) return held;
  const more = Uint32Array.from({ length: end - held.end }, (_, index) => held.end + index);
  const rows = held.rows.map((row) => {
    const longer = new Uint32Array(row.length + more.length);
    longer.set(row);
    longer.set(more, row.length);
    return longer;
  });
  return { ...held, end, rows };
}

/** What is held after some of it was kept; `kept` counts as {@link mostHeld} does. */
export function heldAfter(held: HeldTokens, kept: KeptTokens): HeldTokens {
  const most = mostHeld(held);
  const rows = rowsOf(kept).map((row, index) => {
    const positions = held.rows[index] ?? new Uint32Array(0);
    const missing = most - positions.length;
    return row.map((token) => positions[token - missing] ?? 0);
  });
  return { ...held, rows };
}

/**
 * Tokens of the layer that holds most. In a kept cache's own counting that many tokens are in order, and a layer that holds fewer holds the
 * last ones (see CacheShape).
 */
export function mostHeld({ rows }: HeldTokens): number {
  return rows.reduce((most, row) => Math.max(most, row.length), 0);
}

/** As kept tokens of a text of `end` tokens, to be stored. */
export function keptOf({ layers, heads, end, rows }: HeldTokens): KeptTokens {
  const budgets = Uint32Array.from({ length: layers }, (_, layer) => rows[layer * heads]?.length ?? 0);
  const indices = new Uint32Array(rows.reduce((sum, row) => sum + row.length, 0));
  let at = 0;
  for (const row of rows) {
    indices.set(row, at);
    at += row.length;
  }
  return { layers, heads, tokens: end, budgets, indices };
}

function rowsOf({ heads, budgets, indices }: KeptTokens): Uint32Array[] {
  const rows: Uint32Array[] = [];
  let at = 0;
  for (const budget of budgets) {
    for (let head = 0; head < heads; head++) {
      rows.push(indices.slice(at, at + budget));
      at += budget;
    }
  }
  return rows;
}
