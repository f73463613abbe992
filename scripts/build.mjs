// Builds everything into out/. Parts whose inputs did not change since the last build are left as they are.
//
//   npm run build -- [--only main,preload,engine,cli,renderer] [--minify] [--no-sourcemap] [--force]

import { readFileSync } from "node:fs";
import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { exists, filesBelow, hashOfFiles, readJson, root, writeWhole } from "./files.mjs";
import { withLock } from "./lock.mjs";
import { messageOf } from "./run.mjs";

/** Raised when the same sources come out differently. */
const RECIPE = 1;
const out = join(root, "out");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The bundles by part: [entry, output file]. */
export const bundles = {
  main: [["electron/main/main.ts", "main.cjs"]],
  preload: [["electron/preload/preload.ts", "preload.cjs"]],
  engine: [
    ["electron/engine/process.ts", "engine.cjs"],
    ["electron/engine/documents/pdfWorker.ts", "pdfWorker.cjs"],
    ["electron/engine/documents/markupWorker.ts", "markupWorker.cjs"],
    ["electron/engine/documents/ocrWorker.ts", "ocrWorker.cjs"],
    ["node_modules/tesseract.js/src/worker-script/node/index.js", "tesseractWorker.cjs"],
  ],
  cli: [["electron/cli/main.ts", "longsight.cjs"]],
};
/** Every part, in the order in which they are built. */
export const parts = [...Object.keys(bundles), "renderer"];

/**
 * esbuild's options for the bundles that run in Node or Electron: CommonJS that Node 16 (Electron 22) reads. A dynamic
 * import() stays one: node-llama-cpp is an ES module and cannot be required.
 * @param {{ minify?: boolean, sourcemap?: boolean, define?: Record<string, string> }} [options]
 * @returns {import("esbuild").BuildOptions}
 */
export function bundleOptions({ minify = false, sourcemap = true, define = {} } = {}) {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    target: "node16",
    format: "cjs",
    external: ["electron", "node-llama-cpp", "libsql"],
    supported: { "dynamic-import": true },
    minify,
    sourcemap: sourcemap ? "linked" : false,
    sourcesContent: false,
    legalComments: "none",
    logLevel: "silent",
    define: { "import.meta.url": "longsightModuleUrl", LONGSIGHT_VERSION: JSON.stringify(version), ...define },
    banner: { js: 'const longsightModuleUrl = typeof __filename === "string" ? require("node:url").pathToFileURL(__filename).href : "";' },
  };
}

/** What the engine's workers read beside themselves: PDFium, tesseract by what the processor has, and the data of its languages. */
const besideWorkers = [
  "@embedpdf/pdfium/pdfium.wasm",
  "tesseract.js-core/tesseract-core.wasm",
  "tesseract.js-core/tesseract-core-simd.wasm",
  "tesseract.js-core/tesseract-core-relaxedsimd.wasm",
  "@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz",
  "@tesseract.js-data/deu/4.0.0_best_int/deu.traineddata.gz",
];

/** Copies what the engine's workers need into their folder. */
export async function copyBesideWorkers(folder) {
  await mkdir(folder, { recursive: true });
  for (const name of besideWorkers) await copyFile(fileURLToPath(import.meta.resolve(name)), join(folder, basename(name)));
}

async function buildBundles(part, folder, options) {
  const esbuild = await import("esbuild");
  for (const [entry, name] of bundles[part]) {
    if (!(await exists(join(root, entry)))) throw new Error(`${entry} is missing: this checkout is not complete.`);
    const settings = bundleOptions(options);
    // A sandboxed preload script may require electron alone.
    if (part === "preload") delete settings.banner;
    await esbuild.build({ ...settings, entryPoints: [entry], outfile: join(folder, name) });
  }
  if (part === "engine") await copyBesideWorkers(folder);
}

async function buildRenderer(folder, { minify, sourcemap }) {
  const vite = await import("vite");
  await vite.build({
    root: join(root, "renderer"),
    configFile: join(root, "renderer", "vite.config.ts"),
    logLevel: "warn",
    build: { outDir: folder, emptyOutDir: true, minify: minify ? undefined : false, sourcemap },
  });
}

/** Everything that a part is made of, as one hash. */
async function inputsHash(part, options) {
  const own = await filesBelow(join(root, part === "renderer" ? "renderer" : "electron"));
  // Bundled with main and engine.
  if (part !== "renderer") own.push(...(await filesBelow(join(root, "assets", "models"))));
  const shared = part === "renderer" ? await filesBelow(join(root, "electron", "contract")) : [];
  const common = ["package-lock.json", "package.json", "scripts/build.mjs", "tsconfig.base.json"].map((name) => join(root, name));
  return hashOfFiles([...own, ...shared, ...common], [String(RECIPE), part, JSON.stringify(options)]);
}

async function buildPart(part, options, force) {
  const stamp = join(out, "stamps", `${part}.json`);
  const hash = await inputsHash(part, options);
  const made = part === "renderer" ? ["index.html"] : bundles[part].map(([, name]) => name);
  const there = await Promise.all(made.map((name) => exists(join(out, part, name))));
  if (!force && there.every(Boolean) && (await readJson(stamp))?.hash === hash) return false;

  const fresh = join(out, `.new-${part}-${process.pid}`);
  try {
    await rm(fresh, { recursive: true, force: true });
    if (part === "renderer") await buildRenderer(fresh, options);
    else await buildBundles(part, fresh, options);
    await rm(stamp, { force: true });
    await rm(join(out, part), { recursive: true, force: true });
    await rename(fresh, join(out, part));
    await writeWhole(stamp, JSON.stringify({ hash }));
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return true;
}

/**
 * Builds what is out of date.
 * @param {{ only?: string[], minify?: boolean, sourcemap?: boolean, force?: boolean, say?: (step: string, fraction: number) => void }} [options]
 * @returns {Promise<string[]>} the parts that were built anew
 * @throws Error with esbuild's or vite's own message, file and line
 */
export async function build({ only = parts, minify = false, sourcemap = true, force = false, say = () => {} } = {}) {
  const unknown = only.filter((part) => !parts.includes(part));
  if (unknown.length > 0) throw new Error(`There is no part "${unknown.join(", ")}": choose from ${parts.join(", ")}.`);
  await mkdir(out, { recursive: true });
  return withLock(join(out, ".lock"), async () => {
    const built = [];
    for (const [index, part] of only.entries()) {
      say(`Building ${part}`, index / only.length);
      if (await buildPart(part, { minify, sourcemap }, force)) built.push(part);
    }
    return built;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      only: { type: "string" },
      minify: { type: "boolean", default: false },
      sourcemap: { type: "boolean", default: true },
      force: { type: "boolean", default: false },
    },
  });
  const started = Date.now();
  try {
    const { only, ...rest } = values;
    const built = await build({ ...(only === undefined ? {} : { only: only.split(",") }), ...rest });
    console.error(`${built.length === 0 ? "Everything is up to date" : `Built ${built.join(", ")}`} (${Date.now() - started} ms).`);
  } catch (error) {
    console.error(`The build failed.\n${messageOf(error)}`);
    process.exitCode = 1;
  }
}
