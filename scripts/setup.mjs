// Makes a fresh clone able to run: packages, native part, model, Electron. Every step is skipped where it is done already.
//
//   node scripts/setup.mjs [packages native model electron modules …]

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "./cache.mjs";
import { readJson, root } from "./files.mjs";
import { withLock } from "./lock.mjs";
import { ensurePackages } from "./packages.mjs";
import { progress } from "./progress.mjs";
import { messageOf } from "./run.mjs";

/** A failure with a sentence for people: what happened and what to do. */
export class SetupError extends Error {
  name = "SetupError";
}

/** Least version of Node that the tools run on. */
const leastNode = [20, 19];

/**
 * @param {string} version for example "20.19.1"
 * @throws SetupError where it is too old
 */
export function checkNode(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])) return;
  throw new SetupError(
    `Node ${version} is too old: Longsight needs Node ${leastNode.join(".")} or newer. Install it and run the same command again.`,
  );
}

/** The backend that was built last, so that a start does not undo `npm run native:build -- --gpu cuda`. */
async function chosenBackend() {
  const last = await readJson(join(root, "node_modules", "node-llama-cpp", "llama", "lastBuild.json"));
  const [, backend] = /^longsight-[^-]+-[^-]+-(cpu|cuda|metal|vulkan)-/.exec(String(last?.folderName)) ?? [];
  if (backend === undefined) return {};
  return { gpu: backend === "cpu" ? "false" : backend };
}

async function ensureNativePart({ say }) {
  const { ensureNative } = await import("../native/build.mjs");
  try {
    return await ensureNative({ ...(await chosenBackend()), say });
  } catch (error) {
    const text = messageOf(error);
    const compiler = /CMAKE_C(XX)?_COMPILER|No CMAKE_/.test(text)
      ? " A C++ compiler is missing. Install one (Debian and Ubuntu: apt install build-essential; macOS: xcode-select --install; Windows: the C++ build tools of Visual Studio) and run the same command again."
      : "";
    throw new SetupError(`The native part (llama.cpp with Longsight's patches) could not be built.${compiler}\n${text}`);
  }
}

/** What the engine's tests need besides the model; `npm start` does not. */
async function ensureTestModules({ say }) {
  const [{ ensureModel }, { ensureUntrainedModule }] = await Promise.all([import("./model.mjs"), import("./module.mjs")]);
  return ensureUntrainedModule(await ensureModel({ say }), { say });
}

/** The steps in their order, with the words that name them when they fail. */
const steps = {
  packages: { name: "Installing the packages", run: ensurePackages },
  native: { name: "Building the native part", run: ensureNativePart },
  model: { name: "Fetching the embedded model", run: async (options) => (await import("./model.mjs")).ensureModel(options) },
  electron: {
    name: "Fetching Electron",
    run: async ({ say, note }) =>
      (await import("./electron.mjs")).ensureElectron({
        say: (message) => (/^(Downloading|Unpacking)/.test(message) ? say(message, 0) : note(message)),
      }),
  },
  modules: { name: "Writing the modules for the tests", run: ensureTestModules },
};

/**
 * Does what is missing of the steps in `need`, one process at a time.
 * @param {{ need?: ("packages" | "native" | "model" | "electron" | "modules")[], quiet?: boolean }} [options] quiet: says only what takes long
 * @returns {Promise<{ model?: string, modules?: string, electron?: import("./electron.mjs").Electron | null }>} what the steps found
 * @throws SetupError with what to install or do
 */
export async function setup({ need = ["packages", "native", "model", "electron"], quiet = false } = {}) {
  checkNode(process.versions.node);
  const found = {};
  const shown = progress({ quiet });
  // Packages belong to this checkout, the rest to the user's cache: each is locked where it lies.
  const locks = { packages: join(root, "out", ".packages.lock"), electron: join(cacheFolder(), "setup-electron.lock") };
  try {
    for (const [key, step] of Object.entries(steps)) {
      if (!need.includes(key)) continue;
      const run = () => step.run({ say: shown.say, note: shown.note });
      try {
        found[key] = locks[key]
          ? await withLock(locks[key], run, { onWait: () => shown.note("Another set-up is running: waiting for it.") })
          : await run();
      } catch (error) {
        if (error instanceof SetupError) throw error;
        throw new SetupError(`${step.name} failed. ${messageOf(error)}`);
      }
    }
  } finally {
    shown.end();
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2);
  try {
    const found = await setup(wanted.length > 0 ? { need: wanted } : {});
    console.error(
      `Set-up is complete${found.model ? `: model ${found.model}` : ""}${found.electron ? `, Electron ${found.electron.version}` : ""}.`,
    );
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}
