import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../../../electron/engine/folders.ts";
import type { ContextOptions, ModelContext } from "../../../electron/engine/llama/context.ts";
import { readHeader } from "../../../electron/engine/llama/gguf.ts";
import { loadModel, type Model } from "../../../electron/engine/llama/model.ts";
import { evenBudgets } from "../../../electron/engine/lookahead/kept.ts";
import type { LoadedModule } from "../../../electron/engine/lookahead/plan.ts";
import type { KeptTokens, Scores } from "../../../electron/engine/lookahead/scores.ts";
import { modelFolder, root, smolPath } from "./engine.ts";

/** Models that are tested where they are: `node scripts/model.mjs qwen` fetches the second, the third comes from a package index. */
export const qwenPath = process.env["LONGSIGHT_QWEN"] ?? join(modelFolder, "Qwen2.5-Coder-0.5B-Instruct.Q4_K_M.gguf");
export const gemmaPath = process.env["LONGSIGHT_GEMMA"] ?? join(modelFolder, "gemma-3-270m.Q4_K_M.gguf");

/**
 * The models of a test that wants both; the second is skipped with a message where it is absent. `randomLora`: standard deviation of a
 * random LoRA that changes much, and does not upset the model so that every rounding is magnified.
 */
export const bothModels = [
  { name: "SmolLM2", path: smolPath, randomLora: 0.01 },
  ...(existsSync(qwenPath) ? [{ name: "Qwen 0.5B", path: qwenPath, randomLora: 0.003 }] : []),
];
if (bothModels.length < 2) console.warn("Qwen is not here (node scripts/model.mjs qwen, or LONGSIGHT_QWEN): its tests are skipped.");

export const open = async (path: string): Promise<Model> =>
  loadModel(await readHeader(path), { signal: new AbortController().signal, onProgress: () => undefined });

/** The same weights in another type, made where they are missing. */
export async function ensureConverted(path: string, type: "f16" | "f32"): Promise<string> {
  const folder = join(cacheFolder(process.env, process.platform), "tests");
  const target = join(folder, `${basename(path, ".gguf")}-${(await stat(path)).size}.${type}.gguf`);
  if (existsSync(target)) return target;
  await mkdir(folder, { recursive: true });
  const fresh = `${target}.${process.pid}`;
  await promisify(execFile)(process.execPath, [join(root, "scripts", "quantise.mjs"), path, fresh, type, "2"], { cwd: root });
  await rename(fresh, target);
  return target;
}

/** A context of the size that tests use. */
export const createContext = (model: Model, options: Partial<ContextOptions> = {}): Promise<ModelContext> =>
  model.createContext({ contextLength: 2048, kvType: "f16", threads: 2, slidingWindow: model.header.slidingWindow, ...options });

/** Reads a prompt in steps of at most 512 tokens. @returns the last token's logits */
export async function prefill(context: ModelContext, tokens: Uint32Array): Promise<Float32Array> {
  for (let at = 0; at < tokens.length; at += 512) {
    const end = Math.min(at + 512, tokens.length);
    await context.decode(tokens.subarray(at, end), at, end === tokens.length);
  }
  return context.logits();
}

/** Scores by lookahead rows after the prompt, which must be in the context. */
export async function lookaheadScores(
  context: ModelContext,
  prompt: Uint32Array,
  { module, adapter }: Pick<LoadedModule, "module"> & { readonly adapter: LoadedModule["adapter"] | null },
): Promise<Scores> {
  context.setAdapter(adapter);
  context.startScoring("probe", prompt.length);
  await context.decodeRows(module.embeddings, prompt.length);
  const scores = context.scores(prompt.length);
  context.stopScoring();
  context.setAdapter(null);
  context.truncate(prompt.length);
  return scores;
}

/** The likeliest next tokens, one after the other; the context holds `position` tokens and the logits of the last. */
export async function greedy(context: ModelContext, from: Float32Array, position: number, count: number): Promise<number[]> {
  const written: number[] = [];
  for (let logits = from; ; logits = context.logits()) {
    const best = logits.reduce((highest, value, token) => (value > (logits[highest] ?? 0) ? token : highest), 0);
    written.push(best);
    if (written.length === count) return written;
    await context.decode(Uint32Array.of(best), position + written.length - 1, true);
  }
}

/** The `count` highest tokens of each layer and KV head, of equal ones the earlier. */
function topOf(values: Float32Array, count: number): Set<number> {
  const order = Array.from(values.keys()).sort((one, other) => (values[other] ?? 0) - (values[one] ?? 0) || one - other);
  return new Set(order.slice(0, count));
}

/** How far the `count` best tokens agree, for each layer and KV head, 0 … 1; and the largest difference of any score. */
export function agreement(one: Scores, other: Scores, count: number): { overlaps: number[]; difference: number } {
  const overlaps: number[] = [];
  for (let row = 0; row < one.layers * one.heads; row++) {
    const rowOf = ({ values, tokens }: Scores) => values.subarray(row * tokens, (row + 1) * tokens);
    const [best, others] = [topOf(rowOf(one), count), topOf(rowOf(other), count)];
    overlaps.push([...best].filter((token) => others.has(token)).length / Math.min(count, one.tokens));
  }
  let difference = 0;
  one.values.forEach((value, index) => {
    difference = Math.max(difference, Math.abs(value - (other.values[index] ?? Number.NaN)));
  });
  return { overlaps, difference };
}

export const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Any tokens for each layer and head, ascending: what is tested is that they arrive, not which they are. */
export function someTokens(shape: { layers: number; heads: number }, tokens: number, budget: number): KeptTokens {
  const rows = shape.layers * shape.heads;
  const indices = new Uint32Array(rows * budget);
  for (let row = 0; row < rows; row++) {
    const chosen = Array.from({ length: tokens }, (_, token) => token)
      .sort((one, other) => ((one * 7919 + row * 104_729) % 10_007) - ((other * 7919 + row * 104_729) % 10_007))
      .slice(0, budget)
      .sort((one, other) => one - other);
    indices.set(chosen, row * budget);
  }
  return { layers: shape.layers, heads: shape.heads, tokens, budgets: evenBudgets(shape, budget), indices };
}
