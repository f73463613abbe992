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

async function load(source) {
  // Beside the packages, so that the native part is found.
  await mkdir(join(root, "out"), { recursive: true });
  const folder = await mkdtemp(join(root, "out", "bench-"));
  try {
    const outfile = join(folder, "bundle.cjs");
    await build({ ...bundleOptions({ sourcemap: false }), jsx: "automatic", ...source, outfile });
    const code = createHash("sha256")
      .update(await readFile(outfile))
      .digest("hex");
    return { exported: createRequire(import.meta.url)(outfile), code };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
