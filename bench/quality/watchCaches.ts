import type { ModelContext } from "../../electron/engine/llama/context.ts";
import type { Loaded } from "../../electron/engine/session.ts";

/** What caches take, from the buffers that are allocated: now, and at most since the last call of `forget`. */
export type CacheWatch = { readonly loaded: Loaded; now(): number; most(): number; forget(): void };

/** Adds up the full cache and all kept ones that are there at the same time; it looks whenever a kept one is made, and when it is asked. */
export function watchCaches(loaded: Loaded): CacheWatch {
  const kept = new Set<ModelContext>();
  let most = 0;
  const now = () => [...kept].reduce((sum, context) => sum + context.buffers().cache, loaded.cache.bytes());
  const look = () => {
    most = Math.max(most, now());
  };
  return {
    loaded: {
      ...loaded,
      async createKept(budgets, room) {
        const context = await loaded.createKept(budgets, room);
        const dispose = context.dispose.bind(context);
        // In place: the engine knows its contexts by identity.
        context.dispose = async () => {
          kept.delete(context);
          await dispose();
        };
        kept.add(context);
        look();
        return context;
      },
    },
    now,
    most() {
      look();
      return most;
    },
    forget() {
      most = 0;
    },
  };
}
