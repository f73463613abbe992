// Everything that can be said about the sources without running them: types, style, layers, casts, dead code.
//
//   npm run check -- [types|style|layers|casts|unused …]
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { exists, root } from "./files.mjs";
import { capture } from "./run.mjs";

const program = (name, script, args) => () => capture(process.execPath, [join(root, "node_modules", name, script), ...args], { cwd: root });

const lint = (module, folders) => async () => {
  const [{ readSources }, { [module]: check }] = await Promise.all([
    import("./sources.mjs"),
    module === "checkLayers" ? import("./layers.mjs") : import("./casts.mjs"),
  ]);
  const problems = check(await readSources(folders));
  return { code: problems.length > 0 ? 1 : 0, output: problems.join("\n") };
};

/** The steps by name; each resolves to an exit code and what there is to say. */
const steps = {
  "types: engine, main, command line": program("typescript", "bin/tsc", ["-p", "tsconfig.node.json"]),
  "types: window": program("typescript", "bin/tsc", ["-p", "tsconfig.web.json"]),
  "types: preload, end-to-end tests": program("typescript", "bin/tsc", ["-p", "tsconfig.both.json"]),
  "style: biome": program("@biomejs/biome", "bin/biome", ["ci", "--colors=off", "--max-diagnostics=60"]),
  layers: lint("checkLayers", ["electron", "renderer"]),
  casts: lint("checkCasts", ["electron", "renderer"]),
  "unused: knip": program("knip", "bin/knip.js", ["--no-progress", "--no-config-hints"]),
};

/**
 * Runs the steps, all of them even where one fails.
 * @param {{ only?: string[] }} [options] first words of the steps to run
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function check({ only = [] } = {}) {
  const result = { passed: 0, failed: 0 };
  for (const [name, step] of Object.entries(steps)) {
    if (only.length > 0 && !only.some((word) => name.startsWith(word))) continue;
    const started = Date.now();
    const { code, output } = await step();
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`${code === 0 ? "✔" : "✘"} ${name} (${seconds} s)`);
    if (code !== 0) console.log(output.trimEnd().replace(/^/gm, "    "));
    if (code === 0) result.passed += 1;
    else result.failed += 1;
  }
  return result;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!(await exists(join(root, "node_modules")))) {
    console.error("The packages are not installed: run npm ci first.");
    process.exit(1);
  }
  const { passed, failed } = await check({ only: process.argv.slice(2) });
  if (passed + failed === 0) console.error("There is no such step. Steps: types, style, layers, casts, unused.");
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
