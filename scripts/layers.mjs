// Who may import whom (design: contract <- preload <- renderer; contract <- engine <- cli, main), checked for every import.
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { importsOf, readSources } from "./sources.mjs";

/**
 * The layers, the first match wins. `layers`: ours that it may import, itself included where named. `packages`: what it
 * may import from outside; "*" is any package that no `only` below reserves. `node`: Node's own modules.
 */
const table = [
  // Runs at build time and ends up in no bundle.
  { name: "vite configuration", folder: "renderer/vite.config.ts", layers: [], packages: ["*"], node: true },
  { name: "contract", folder: "electron/contract/", layers: ["contract"], packages: ["zod"], node: false },
  { name: "preload", folder: "electron/preload/", layers: ["preload", "contract"], packages: ["electron", "zod"], node: false },
  {
    name: "engine/llama",
    folder: "electron/engine/llama/",
    layers: ["engine/llama", "engine", "contract"],
    packages: ["node-llama-cpp", "zod"],
    node: true,
  },
  {
    name: "engine",
    folder: "electron/engine/",
    layers: ["engine", "engine/llama", "contract"],
    packages: ["@embedpdf/pdfium", "fflate", "htmlparser2", "libsql", "mammoth", "tesseract.js", "yauzl", "zod"],
    node: true,
  },
  { name: "cli", folder: "electron/cli/", layers: ["cli", "engine", "engine/llama", "contract"], packages: ["zod"], node: true },
  // Not engine/llama: the native part must never load in the main process.
  { name: "main", folder: "electron/main/", layers: ["main", "engine", "contract"], packages: ["electron", "zod"], node: true },
  { name: "renderer", folder: "renderer/", layers: ["renderer", "contract"], packages: ["*"], node: false },
];

/** Packages that "*" does not include: each belongs to one part. */
const reserved = ["electron", "node-llama-cpp", "libsql", "vite", "esbuild"];

/** Files outside the layers that any of them but the contract may read: plain data. */
const data = [/^package\.json$/, /^assets\//];

const layerOf = (file) => table.find(({ folder }) => file === folder || file.startsWith(folder));

const packageOf = (specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

function refusal(layer, file, specifier) {
  if (specifier === null) return "imports something computed: name it, so that it can be checked";
  if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(file), specifier.replace(/\?.*$/, ""));
    const other = layerOf(target);
    if (other) return layer.layers.includes(other.name) ? null : `imports ${target}: ${layer.name} may not import ${other.name}`;
    if (layer.name === "vite configuration" || (layer.name !== "contract" && data.some((pattern) => pattern.test(target)))) return null;
    return `imports ${target}, which is in no layer`;
  }
  if (specifier.startsWith("node:")) return layer.node ? null : `imports ${specifier}: ${layer.name} does not run in Node`;
  if (/^[/#]|^[a-z]+:/.test(specifier)) return `imports ${specifier}: only relative paths, packages and node: modules`;
  const name = packageOf(specifier);
  if (layer.packages.includes(name)) return null;
  if (layer.packages.includes("*") && (layer.node || !reserved.includes(name))) return null;
  return `imports ${name}: ${layer.name} may not`;
}

/**
 * Checks sources against the table.
 * @param {{ file: string, text: string }[]} sources file: relative to the checkout, with `/`
 * @returns {string[]} one "file:line what" for each import that is not allowed
 */
export function checkLayers(sources) {
  const problems = [];
  for (const source of sources) {
    const layer = layerOf(source.file);
    if (!layer) {
      problems.push(`${source.file}:1 is in no layer`);
      continue;
    }
    for (const { specifier, line } of importsOf(source)) {
      const reason = refusal(layer, source.file, specifier);
      if (reason) problems.push(`${source.file}:${line} ${reason}`);
    }
  }
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkLayers(await readSources(["electron", "renderer"]));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
