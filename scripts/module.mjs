// The training package as a program, and lookahead modules that have learned nothing, for tests and benches.
//
//   node scripts/module.mjs BASE.gguf
import { createHash } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "./cache.mjs";
import { exists, filesBelow, hashOfFiles, root } from "./files.mjs";
import { withLock } from "./lock.mjs";
import { progress } from "./progress.mjs";
import { ensurePythonPackages } from "./python.mjs";
import { capture, messageOf } from "./run.mjs";

const training = join(root, "training");
const requirements = join(training, "requirements.txt");
const learningRequirements = join(training, "requirements-learn.txt");
/** Where the code lies that decides what a module's file looks like. */
const format = join(training, "longsight_training", "module");

/**
 * How to run the training package without learning: its few packages are installed into the cache folder where they are missing.
 * @param {{ say?: (step: string, fraction: number) => void }} [options]
 * @returns {Promise<{ command: string, args: string[], env: NodeJS.ProcessEnv, cwd: string }>} args: to be followed by `-m` and a package
 * @throws Error that says what to do
 */
export const trainingPython = async ({ say = () => {} } = {}) => programOf(await ensurePythonPackages(requirements, { say }));

/**
 * How to run all of the training package, learning included: PyTorch and what belongs to it is installed where it is missing.
 * @param {{ say?: (step: string, fraction: number) => void }} [options]
 * @returns {Promise<{ command: string, args: string[], env: NodeJS.ProcessEnv, cwd: string }>} args: to be followed by `-m` and a package
 * @throws Error that says what to do
 */
export async function learningPython({ say = () => {} } = {}) {
  const size = process.platform === "linux" ? " (about 4 GB, 5.6 GB on disk: a minute on a good line)" : "";
  return programOf(
    await ensurePythonPackages(learningRequirements, { dependencies: true, least: [3, 11], name: `PyTorch for learning${size}`, say }),
  );
}

function programOf({ command: [command, ...args], folder }) {
  const paths = [training, folder, process.env.PYTHONPATH].filter(Boolean);
  // No compiled files beside the sources; UTF-8 whatever the system's own.
  const env = { ...process.env, PYTHONPATH: paths.join(delimiter), PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1" };
  return { command, args, env, cwd: training };
}

/**
 * An untrained lookahead module for a base, written where it is missing. The same base and options give the same file.
 * @param {string} basePath the base's GGUF
 * @param {{ seed?: number, tokens?: number, rank?: number, alpha?: number, poolKernel?: number, randomLora?: number | null, baseName?: string, say?: (step: string, fraction: number) => void }} [options]
 *   randomLora: standard deviation of the LoRA's second factor, for a LoRA that changes something; null: it changes nothing
 * @returns {Promise<string>} path of the module, below the cache folder
 * @throws Error that says what to do
 */
export async function ensureUntrainedModule(
  basePath,
  { seed = 0, tokens = 32, rank = 8, alpha = 32, poolKernel = 7, randomLora = null, baseName, say = () => {} } = {},
) {
  const model = basename(basePath).replace(/\.gguf$/i, "");
  const numbers = { seed, tokens, rank, alpha, "pool-kernel": poolKernel, "random-lora": randomLora, "base-name": baseName };
  const given = Object.entries(numbers).filter(([, value]) => value !== null && value !== undefined);
  const base = await stat(basePath);
  const code = await hashOfFiles([requirements, ...(await filesBelow(format, (name) => name.endsWith(".py")))]);
  const key = createHash("sha256")
    .update(JSON.stringify([model, base.size, base.mtimeMs, given, code]))
    .digest("hex")
    .slice(0, 12);
  const folder = join(cacheFolder(), "modules");
  const target = join(folder, `untrained-${model.toLowerCase()}-seed${seed}${randomLora === null ? "" : "-random"}-${key}.gguf`);
  if (await exists(target)) return target;
  await mkdir(folder, { recursive: true });
  return withLock(`${target}.lock`, async () => {
    if (await exists(target)) return target;
    const python = await trainingPython({ say });
    say(`Writing an untrained lookahead module for ${model}`, 0);
    const options = given.flatMap(([name, value]) => [`--${name}`, String(value)]);
    const { code: exit, output } = await capture(
      python.command,
      // Untrained is untrained on any day: a fixed date keeps the bytes the same.
      [...python.args, "-m", "longsight_training", "untrained", "--base", basePath, "--out", target, "--date", "2026-01-01", ...options],
      { cwd: python.cwd, env: python.env },
    );
    if (exit !== 0)
      throw new Error(
        `The untrained lookahead module for ${model} could not be written.\n${output.trim().split("\n").slice(-4).join("\n")}`,
      );
    return target;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const shown = progress();
  try {
    const [base] = process.argv.slice(2);
    if (base === undefined) throw new Error("Which base? node scripts/module.mjs BASE.gguf");
    const path = await ensureUntrainedModule(base, { say: shown.say });
    shown.end();
    console.log(path);
  } catch (error) {
    shown.end();
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}
