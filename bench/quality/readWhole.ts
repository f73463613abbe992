import { createStopper, readPrompt } from "../../electron/engine/conversation/readPrompt.ts";
import type { ModelContext } from "../../electron/engine/llama/context.ts";
import type { EvictionPlan } from "../../electron/engine/lookahead/plan.ts";
import type { Loaded } from "../../electron/engine/session.ts";

/**
 * Reads a prompt as the app does, but into a cache of the context's whole length: answers and rows that score come behind it.
 * @param plan whose rows of the prompt are scored on the way; null for none
 */
export async function readWhole({ cache }: Loaded, tokens: Uint32Array, plan: EvictionPlan | null): Promise<ModelContext> {
  const whole = { ...cache, open: (_cells: number | null, reusable: boolean) => cache.open(null, reusable) };
  const { signal } = new AbortController();
  const stopper = createStopper(signal);
  try {
    return (await readPrompt(whole, tokens, plan, { signal, emit: () => undefined, stopper })).context;
  } finally {
    stopper.end();
  }
}
