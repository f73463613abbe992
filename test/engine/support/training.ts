import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { Scores } from "../../../electron/engine/lookahead/scores.ts";
import { learningPython } from "../../../scripts/module.mjs";

/**
 * Runs a command of the training package, `python -m longsight_training …`.
 * @param signal ends it, so that none outlives a test that ran out of time
 * @returns what it wrote to standard output
 * @throws Error with what it said to people
 */
export async function runTraining(args: readonly string[], signal: AbortSignal): Promise<string> {
  const python = await learningPython();
  const all = [...python.args, "-m", "longsight_training", ...args];
  const { stdout } = await promisify(execFile)(python.command, all, { cwd: python.cwd, env: python.env, signal });
  return stdout;
}

const summarySchema = z.object({
  layers: z.number().int().positive(),
  kvHeads: z.number().int().positive(),
  tokens: z.number().int().positive(),
});

/** Scores of a prompt as PyTorch computes them in training, in float32. All layers of the model must be scored ones. */
export async function torchScores(base: string, module: string, prompt: Uint32Array, signal: AbortSignal): Promise<Scores> {
  const folder = await mkdtemp(join(tmpdir(), "longsight-torch-"));
  try {
    const [tokens, scores] = [join(folder, "tokens.u32"), join(folder, "scores.f32")];
    await writeFile(tokens, new Uint8Array(prompt.buffer, prompt.byteOffset, prompt.byteLength));
    const output = await runTraining(["scores", "--base", base, "--module", module, "--tokens", tokens, "--out", scores], signal);
    const { layers, kvHeads, tokens: count } = summarySchema.parse(JSON.parse(output));
    // A copy: small files come from a pool whose offset is not a multiple of four.
    const values = new Float32Array(new Uint8Array(await readFile(scores)).buffer);
    return { layers, heads: kvHeads, tokens: count, values };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
