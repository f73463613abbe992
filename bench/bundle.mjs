// The engine's own code for a bench, built as the app's is.
import { mkdtemp, rm } from "node:fs/promises";
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
  // Beside the packages, so that the native part is found.
  const folder = await mkdtemp(join(root, "out", "bench-"));
  try {
    const outfile = join(folder, "bundle.cjs");
    const contents = files.map((name) => `export * from "./electron/${name}.ts";`).join("\n");
    await build({ ...bundleOptions({ sourcemap: false }), stdin: { contents, resolveDir: root }, outfile });
    return createRequire(import.meta.url)(outfile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
