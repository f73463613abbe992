// How long it takes to choose what is kept: max-pooling (kernel 7) and the top of every layer and head, 32,768 tokens, one thread.
// Beside it the same by sorting, which it must equal; the kinds of scores are those that a radix select could stumble over.
//
//   npm run bench -- selection [--runs N] [--sorts N]
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { bundle } from "./bundle.mjs";
import { median, writeResults } from "./figures.mjs";

const { values: options } = parseArgs({ options: { runs: { type: "string", default: "11" }, sorts: { type: "string", default: "3" } } });
const runs = Number(options.runs);
const sorts = Number(options.sorts);
const tokens = 32_768;
const kernel = 7;
const budgets = [256, 4096];
/** Milliseconds that the first two may take (issue 4). */
const limitMs = 150;
const models = [
  { name: "SmolLM2-135M", layers: 30, heads: 3, limited: true },
  { name: "Qwen2.5-0.5B", layers: 24, heads: 2, limited: true },
  { name: "an 8B", layers: 32, heads: 8, limited: false },
];

const { keptCounts, maxPool, meanScores, protectedTokens, randomOf, selectRandom, selectTop } = await bundle(
  ["kept", "policies/random", "pool", "protect", "scores", "select", "xoshiro"].map((name) => `engine/lookahead/${name}`),
);

const kinds = {
  /** Few tokens hold most of the attention: log-normal, σ 3, each row adding up to 1. */
  attention(random, values) {
    for (let offset = 0; offset < values.length; offset += tokens) {
      let sum = 0;
      for (let token = 0; token < tokens; token++) {
        const radius = Math.sqrt(-2 * Math.log((random() + 1) / 2 ** 32));
        sum += values[offset + token] = Math.exp(3 * radius * Math.cos((2 * Math.PI * random()) / 2 ** 32));
      }
      for (let token = 0; token < tokens; token++) values[offset + token] /= sum;
    }
  },
  /** All equal but for the last bits: every digit has to be looked at. */
  close(random, values) {
    for (let index = 0; index < values.length; index++) values[index] = (1 + (random() % 1024) * 2 ** -23) / tokens;
  },
  zeros() {},
};

function scoresOf({ layers, heads }, kind) {
  const values = new Float32Array(layers * heads * tokens);
  kinds[kind](randomOf(4), values);
  return { layers, heads, tokens, values };
}

/** The rules without any art: each window's greatest, then a sort by score and place. */
function sortedSelection({ layers, heads, values }, budget, kept) {
  const isProtected = new Uint8Array(tokens);
  for (const token of kept) isProtected[token] = 1;
  const half = (kernel - 1) / 2;
  const indices = new Uint32Array(layers * heads * budget);
  for (let row = 0; row < layers * heads; row++) {
    const scores = values.subarray(row * tokens, (row + 1) * tokens);
    const pooled = new Float32Array(tokens);
    for (let token = 0; token < tokens; token++) {
      let greatest = 0;
      for (let near = Math.max(0, token - half); near <= Math.min(tokens - 1, token + half); near++) {
        greatest = Math.max(greatest, scores[near]);
      }
      pooled[token] = greatest;
    }
    const order = Uint32Array.from({ length: tokens }, (_, token) => token);
    order.sort((one, other) => isProtected[other] - isProtected[one] || pooled[other] - pooled[one] || one - other);
    indices.set(order.subarray(0, budget).sort(), row * budget);
  }
  return indices;
}

/** Milliseconds by the clock and of the processor for each run, and what the last one made. */
function measure(times, task) {
  const measured = [];
  const processor = [];
  let made;
  for (let run = 0; run < times; run++) {
    const before = process.cpuUsage();
    const started = performance.now();
    made = task();
    measured.push(Math.round((performance.now() - started) * 100) / 100);
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1000);
  }
  return { median: median(measured), processorMedian: median(processor), measured, processor, made };
}

// Beside others who compute, the clock counts their turns too: the processor's time tells how much.
const [loadBefore] = loadavg();
const figures = [];
for (const { name, layers, heads, limited } of models) {
  for (const kind of Object.keys(kinds)) {
    const scores = scoresOf({ layers, heads }, kind);
    for (const budget of budgets) {
      const kept = protectedTokens({ promptTokens: tokens, tailStart: tokens - 24, pinned: [{ start: 100, end: 140 }], budget });
      const selection = measure(runs, () => selectTop(scores, budget, kept, kernel));
      const figure = {
        model: name,
        layers,
        heads,
        tokens,
        scores: kind,
        budget,
        limited,
        selectionMs: selection.median,
        processorMs: selection.processorMedian,
      };
      const raw = { selectionMs: selection.measured, processorMs: selection.processor };
      // Sorting takes seconds: once for each model and kind is enough to compare with.
      if (budget === budgets[0]) {
        const sorting = measure(kind === "attention" ? sorts : 1, () => sortedSelection(scores, budget, kept));
        if (Buffer.compare(Buffer.from(selection.made.indices.buffer), Buffer.from(sorting.made.buffer)) !== 0) {
          throw new Error(`Selection and sorting differ: ${name}, ${kind}, budget ${budget}.`);
        }
        figure.sortingMs = sorting.median;
        figure.timesFaster = Math.round(sorting.median / selection.median);
        raw.sortingMs = sorting.measured;
      }
      // What stands beside selection in an answer or in the window, once for each model.
      if (kind === "attention" && budget === budgets[0]) {
        figure.poolingAloneMs = measure(runs, () => maxPool(scores, kernel)).median;
        figure.meanScoresMs = measure(runs, () => meanScores(scores)).median;
        figure.keptCountsMs = measure(runs, () => keptCounts(selection.made)).median;
        figure.randomPolicyMs = measure(runs, () => selectRandom(scores, budget, kept, 1)).median;
      }
      figures.push({ ...figure, raw });
      const compared = figure.sortingMs === undefined ? "" : ` · sorting ${Math.round(figure.sortingMs)} ms, equal`;
      console.error(`${name} ${layers} × ${heads} · ${kind} · budget ${budget}: ${figure.selectionMs.toFixed(1)} ms${compared}`);
    }
  }
}

const results = await writeResults("selection", { runs, sorts, tokens, kernel, limitMs, loadBefore, figures });
for (const { name, limited } of models) {
  const slowest = Math.max(...figures.filter((figure) => figure.model === name).map((figure) => figure.selectionMs));
  console.log(`${name}: at most ${slowest.toFixed(1)} ms${limited ? ` of ${limitMs}` : ""} (load ${loadBefore.toFixed(1)} before)`);
  if (limited && slowest >= limitMs) process.exitCode = 1;
}
console.error(`Raw figures: ${results}`);
