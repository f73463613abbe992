// Runs a bench that is written in TypeScript, with what only scripts in their own place can do.
import { join, resolve } from "node:path";
import { root } from "../../scripts/files.mjs";
import { modelsFolder } from "../../scripts/model.mjs";
import { ensureUntrainedModule } from "../../scripts/module.mjs";
import { callerFolder, messageOf } from "../../scripts/run.mjs";
import { setup } from "../../scripts/setup.mjs";
import { bundleBench, bundleProgram } from "../bundle.mjs";
import { describeResults, writeResults } from "../figures.mjs";

/**
 * @param {string} folder of the bench, below bench/
 * @returns {Promise<number>} its exit code
 */
export async function runBench(folder) {
  try {
    await setup({ need: ["packages", "native"], quiet: true });
    const { exported, code } = await bundleBench(`${folder}/main`);
    return await exported.main(process.argv.slice(2), {
      code,
      modelsFolder: modelsFolder(),
      modulesFolder: join(root, "assets", "lookahead"),
      dataFolder: process.env.LONGSIGHT_DATA ? resolve(process.env.LONGSIGHT_DATA) : join(root, "..", "shared", "data"),
      callerFolder: callerFolder("bench"),
      ensureEmbeddedModel: async () => (await setup({ need: ["model"] })).model,
      ensureUntrainedModule: (base) => ensureUntrainedModule(base),
      writeResults,
      describeResults,
      bundleProgram,
      scripts: { bench: join(root, "bench"), native: join(root, "native") },
    });
  } catch (error) {
    console.error(error?.name === "UsageError" || error?.name === "LongsightError" ? messageOf(error) : error);
    if (error?.detail) console.error(error.detail);
    return error?.name === "UsageError" ? 2 : 1;
  }
}
