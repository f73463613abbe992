import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { endianness, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { findPython } from "../../../scripts/python.mjs";

const script = fileURLToPath(new URL("reference.py", import.meta.url));
const expectedScript = fileURLToPath(new URL("expected.py", import.meta.url));

type Environment = Readonly<Record<string, string | undefined>>;

export type ReferenceRequest = {
  /** Path of the base model's GGUF file. */
  readonly model: string;
  /** Path of the lookahead module; null with the others. */
  readonly module: string | null;
  /** The whole prompt. */
  readonly tokens: Uint32Array;
  readonly policy: "lookahead" | "snapkv" | "expected-attention";
  /** Query rows of `snapkv`. */
  readonly window?: number;
  /** What the cache rounds keys and values to. */
  readonly kvType?: "f16" | "f32";
  /** For Python: PYTHONPATH has to lead to `numpy` and `gguf`. */
  readonly environment?: Environment;
};

export type ReferenceScores = {
  readonly layers: number;
  readonly kvHeads: number;
  readonly tokens: number;
  /** [layer][KV head][token]: mean attention probability, or expected attention (expected.py); no pooling. */
  readonly values: Float32Array;
  /** The last prompt token's logits. */
  readonly logits: Float32Array;
};

const summarySchema = z.object({
  layers: z.number().int().positive(),
  kvHeads: z.number().int().positive(),
  tokens: z.number().int().positive(),
});

async function runPython(args: readonly string[], environment: Environment): Promise<string> {
  const [command, ...first] = await findPython();
  if (command === undefined) throw new Error("Python was not found.");
  return new Promise((resolve, reject) => {
    execFile(command, [...first, ...args], { env: { ...environment } }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(stderr.trim() || error.message));
    });
  });
}

/** Why the reference cannot run here, as a sentence to skip a test with; null where it can. */
export async function referenceMissing(environment: Environment = process.env): Promise<string | null> {
  try {
    await runPython(["-c", "import gguf, numpy"], environment);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n").at(-1) : String(error);
    return `The NumPy reference cannot run: ${reason}. It needs Python 3 with the packages numpy and gguf.`;
  }
}

async function readFloats(path: string): Promise<Float32Array> {
  const bytes = await readFile(path);
  // A copy: small files come from a pool whose offset is not a multiple of four.
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/**
 * Scores of a prompt by the NumPy reference (reference.py, expected.py), for comparison with the engine's.
 * @throws Error with the reference's sentence where it refuses the model, the module or the tokens
 */
export async function referenceScores(request: ReferenceRequest): Promise<ReferenceScores> {
  if (endianness() !== "LE") throw new Error("The reference's files are little-endian, and this machine is not.");
  const folder = await mkdtemp(join(tmpdir(), "longsight-reference-"));
  try {
    const [tokens, scores, logits] = [join(folder, "tokens.u32"), join(folder, "scores.f32"), join(folder, "logits.f32")];
    await writeFile(tokens, new Uint8Array(request.tokens.buffer, request.tokens.byteOffset, request.tokens.byteLength));
    const rules = request.policy === "expected-attention" ? [expectedScript] : [script, "--policy", request.policy];
    const args = [...rules, "--model", request.model, "--tokens", tokens, "--out", scores, "--logits", logits];
    if (request.module !== null) args.push("--module", request.module);
    if (request.window !== undefined) args.push("--window", String(request.window));
    if (request.kvType !== undefined) args.push("--kv-type", request.kvType);
    const output = await runPython(args, request.environment ?? process.env);
    const summary = summarySchema.parse(JSON.parse(output));
    const values = await readFloats(scores);
    if (values.length !== summary.layers * summary.kvHeads * summary.tokens) {
      throw new Error(`The reference wrote ${values.length} scores, which are not ${JSON.stringify(summary)}.`);
    }
    return { ...summary, values, logits: await readFloats(logits) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
