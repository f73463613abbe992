import { expect, it } from "vitest";
import { createKeptCache } from "../../../../electron/engine/conversation/keptCache.ts";
import type { ModelContext } from "../../../../electron/engine/llama/context.ts";
import { nothingHeld } from "../../../../electron/engine/lookahead/held.ts";
import { standInContext } from "../standInContext.ts";

const cells = 64;
const budget = 16;
const promptTokens = 40;

/** Stands in for a context of one layer with one head: it knows which positions it holds, and looks at them as it is told. */
function lookingAt(scoreOf: (position: number) => number): ModelContext {
  let held: number[] = [];
  return standInContext({
    async decode(tokens, position) {
      for (let place = 0; place < tokens.length; place++) held.push(position + place);
    },
    truncate(position) {
      held = held.filter((own) => own < position);
      return position;
    },
    async keepFrom(_source, { indices }) {
      held = Array.from(indices, (place) => held[place] ?? Number.NaN);
    },
    scores: (tokens) => ({ layers: 1, heads: 1, tokens, values: Float32Array.from(held.slice(0, tokens), scoreOf) }),
    shape() {
      const tokens = held.length;
      return { layers: 1, heads: 1, tokens, cells, kept: true, layerCells: Uint32Array.of(cells), layerTokens: Uint32Array.of(tokens) };
    },
    startScoring: () => undefined,
    stopScoring: () => undefined,
    setAdapter: () => undefined,
    abort: () => undefined,
    resume: () => undefined,
    buffers: () => ({ cache: 1, compute: 1 }),
    dispose: async () => undefined,
  });
}

it("evicts from an answer by what its latest tokens look at, whatever the question looked at while the text was read", async () => {
  let wanted: (position: number) => boolean = (position) => position === 20;
  const context = lookingAt((position) => (wanted(position) ? 1 : 1 / (2 + position)));
  const cache = createKeptCache(
    { createKept: () => Promise.reject(new Error("not asked for")), model: { header: { slidingWindow: 0 } } },
    {
      context,
      held: nothingHeld({ layers: 1, heads: 1 }),
      read: [],
      choice: { policy: "snapkv", budget, poolKernel: 1, seed: 1, lookahead: null, promptTokens, pinned: [] },
      budgets: Uint32Array.of(budget),
      mostCells: cells,
      sameView: true,
    },
  );
  const heldNow = () => Array.from(cache.held.rows[0] ?? []);
  await cache.append(new Uint32Array(promptTokens), false);
  const view = new Uint32Array(8);
  await cache.evict(view, budget, [], () => undefined);
  expect(heldNow()).toContain(20);
  // The next look would lose it, and the earlier one counts.
  wanted = (position) => position >= promptTokens;
  await cache.append(new Uint32Array(20), false);
  await cache.evict(view, budget, [], () => undefined);
  expect(heldNow()).toContain(20);

  const end = promptTokens + 20;
  for (let written = 0; cache.counts.answerEvictions === 0; written++) {
    const next = await cache.cellFor(7, { questionStart: end, promptTokens: end }, () => undefined);
    await next?.decode(Uint32Array.of(7), end + written, true);
  }
  expect(heldNow()).not.toContain(20);
  expect(heldNow()).toHaveLength(budget);
});
