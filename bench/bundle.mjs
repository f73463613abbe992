// The engine's own code for a bench, built as the app's is.
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { bundleOptions } from "../scripts/build.mjs";
import { root } from "../scripts/files.mjs";

/**
 * @param {string[]} files below electron/, without their ending
 * @returns {Promise<any>} everything that they export
 */
export async function bundle(files) {
  const contents = files.map((name) => `export * from "./electron/${name}.ts";`).join("\n");
  return (await load({ stdin: { contents, resolveDir: root } })).exported;
}

/**
 * A bench that is written in TypeScript, with all that it imports.
 * @param {string} entry its file below bench/, without its ending
 * @returns {Promise<{ exported: any, code: string }>} code: a hash of everything that was bundled
 */
export function bundleBench(entry) {
  return load({ entryPoints: [join(root, "bench", `${entry}.ts`)] });
}

/**
 * A program of a bench that is written in TypeScript, for processes that are to hold nothing but what they run.
 * @param {string} entry its file below bench/, without its ending
 * @returns {Promise<{ file: string, code: string, remove: () => Promise<void> }>} code: as of a bench
 */
export function bundleProgram(entry) {
  return write({ entryPoints: [join(root, "bench", `${entry}.ts`)] });
}

async function load(source) {
  const { file, code, remove } = await write(source);
  try {
    return { exported: createRequire(import.meta.url)(file), code };
  } finally {
    await remove();
  }
}

async function write(source) {
  // Beside the packages, so that the native part is found.
  await mkdir(join(root, "out"), { recursive: true });
  const folder = await mkdtemp(join(root, "out", "bench-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const file = join(folder, "bundle.cjs");
    await build({ ...bundleOptions({ sourcemap: false }), jsx: "automatic", ...source, outfile: file });
    const code = createHash("sha256")
      .update(await readFile(file))
      .digest("hex");
    return { file, code, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
