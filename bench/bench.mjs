// Runs a bench: npm run bench -- NAME [options]. Each is a file beside this one; its figures go to docs/results.
import { spawnSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const files = (await readdir(here)).filter((name) => name.endsWith(".mjs") && !["bench.mjs", "bundle.mjs", "figures.mjs"].includes(name));
const names = files.map((name) => basename(name, ".mjs")).sort();

const [name, ...args] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
  console.error(`${name === undefined ? "Which bench?" : `There is no bench "${name}".`} There are: ${names.join(", ")}.`);
  console.error("Run one with: npm run bench -- NAME [options]");
  process.exitCode = 2;
} else {
  process.exitCode = spawnSync(process.execPath, [join(here, `${name}.mjs`), ...args], { stdio: "inherit" }).status ?? 1;
}
