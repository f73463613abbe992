import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { ensureUntrainedModule, trainingPython } from "../../../scripts/module.mjs";
import { smolPath, storyOf } from "./engine.ts";
import { referenceMissing, referenceScores } from "./reference.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

describe("the NumPy reference", () => {
  let python: Awaited<ReturnType<typeof trainingPython>>;
  beforeAll(async () => {
    python = await trainingPython();
  });

  test("passes its own tests, against the plainest attention there is", async () => {
    const { stderr } = await promisify(execFile)(python.command, [...python.args, "-m", "unittest", "reference_test"], {
      cwd: here,
      env: python.env,
    });
    expect(stderr).toMatch(/Ran ([89]|\d\d) tests.*\n\nOK/s);
  });

  test("reads a real model and a real module", async () => {
    expect(await referenceMissing(python.env)).toBeNull();
    const tokens = Uint32Array.from(storyOf(40).split(" "), (word, index) => 1000 + 7 * index + word.length);
    const request = { model: smolPath, tokens, environment: python.env };
    const window = await referenceScores({ ...request, module: null, policy: "snapkv", window: 8 });
    expect(window).toMatchObject({ layers: 30, kvHeads: 3, tokens: tokens.length });
    expect(window.logits).toHaveLength(49152);
    const sumOf = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0);
    for (let row = 0; row < 90; row++) {
      expect(sumOf(window.values.subarray(row * tokens.length, (row + 1) * tokens.length))).toBeCloseTo(1, 5);
    }
    // A module's rows see each other too, so less than all of their attention is on the prompt; prompt rows do not know of it.
    const [plain, changed] = await Promise.all(
      [null, 0.1].map(async (randomLora) =>
        referenceScores({ ...request, module: await ensureUntrainedModule(smolPath, { randomLora }), policy: "lookahead" }),
      ),
    );
    expect(sumOf(plain?.values ?? new Float32Array())).toBeLessThan(90);
    const apart = (one?: Float32Array, other?: Float32Array) =>
      Math.max(...(one ?? []).map((value, index) => Math.abs(value - (other?.[index] ?? Number.NaN))));
    expect(apart(plain?.logits, window.logits)).toBeLessThan(1e-4);
    expect(apart(changed?.logits, window.logits)).toBeLessThan(1e-4);
    expect(apart(changed?.values, plain?.values)).toBeGreaterThan(1e-3);
  });

  test("says in a sentence what it cannot read", async () => {
    const folder = await mkdtemp(join(tmpdir(), "longsight “reference” "));
    const request = { model: smolPath, module: null, tokens: Uint32Array.of(1, 2, 3), policy: "snapkv", environment: python.env } as const;
    const missing = join(folder, "missing.gguf");
    await expect(referenceScores({ ...request, model: missing })).rejects.toThrow("missing.gguf");
    await expect(referenceScores({ ...request, tokens: new Uint32Array() })).rejects.toThrow("The prompt has no tokens.");
    await expect(referenceScores({ ...request, tokens: Uint32Array.of(49152) })).rejects.toThrow("49152, which is no token");
    await expect(referenceScores({ ...request, policy: "lookahead" })).rejects.toThrow("--module goes with --policy lookahead");
    await expect(referenceScores({ ...request, module: smolPath, policy: "lookahead" })).rejects.toThrow("no lookahead module");
    await rm(folder, { recursive: true });
  });
});
