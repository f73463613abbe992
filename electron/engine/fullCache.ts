import { roundContext } from "../contract/fit.ts";
import type { ModelContext } from "./llama/context.ts";

/**
 * The full cache: a context, and what is known to be in it. It is freed after an eviction and made anew when a prompt is to be read;
 * where tokens will be evicted, with just the cells that the prompt needs.
 */
export type FullCache = {
  /** Positions of its context. */
  readonly contextLength: number;
  /** Most cells that it gets: fewer than positions where memory is short. */
  readonly mostTokens: number;
  /** Tokens whose keys and values stand in the cache from position 0 on, all of them prefilled. */
  readonly prefilled: number[];
  /** Whether some of them came from a snapshot in q8_0: they are not what reading would have given. Until the cache is freed. */
  approximate: boolean;
  /**
   * A context with at least so many cells. What was prefilled stays where it is of use: for the same size, or where `reusable`.
   * @param cells null for as many as it may have
   * @throws LongsightError `model-memory`
   */
  open(cells: number | null, reusable: boolean): Promise<ModelContext>;
  /** Bytes allocated now; 0 after {@link FullCache.free}. */
  bytes(): number;
  /** Gives the memory back. */
  free(): Promise<void>;
};

/** @param create makes a context with so many cells */
export function createFullCache(
  contextLength: number,
  create: (cells: number) => Promise<ModelContext>,
  mostTokens = contextLength,
): FullCache {
  let present: { context: ModelContext; cells: number } | null = null;
  const prefilled: number[] = [];
  const free = async () => {
    const old = present;
    present = null;
    prefilled.length = 0;
    cache.approximate = false;
    await old?.context.dispose();
  };
  const cache: FullCache = {
    contextLength,
    mostTokens,
    prefilled,
    approximate: false,
    bytes: () => present?.context.buffers().cache ?? 0,
    free,
    async open(wanted, reusable) {
      const cells = wanted === null ? mostTokens : Math.min(mostTokens, roundContext(wanted));
      if (present !== null && (present.cells === cells || (reusable && present.cells > cells))) return present.context;
      await free();
      present = { context: await create(cells), cells };
      return present.context;
    },
  };
  return cache;
}
