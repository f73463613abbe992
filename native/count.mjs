// The program whose instructions are counted (count/count.cpp), built against the very libraries that the engine loads: nothing of llama.cpp
// is compiled for it, and what is counted is what runs.
//
//   node native/count.mjs    builds it where it is not there, and writes where it is, and what those libraries were built with, as JSON
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm } from "node:fs/promises";
import { setPriority, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { exists, hashOfFiles, readJson } from "../scripts/files.mjs";
import { withLock } from "../scripts/lock.mjs";
import { messageOf } from "../scripts/run.mjs";
import { bundleFolder, extractPatched, run } from "./source.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const sources = ["count/count.cpp", "check/models.cpp", "check/models.h", "check/random.h"].map((name) => join(here, ...name.split("/")));
const compiler = process.env.CXX || "c++";
const compilerOptions = ["-std=c++17", "-O2"];
/** What the libraries are made known by. */
const headers = ["include", "ggml/include", "src/llama-ext.h"];

/** The folder of the libraries that the engine loads. */
async function releaseFolder() {
  const built = await readJson(join(bundleFolder, "lastBuild.json"));
  if (built === null) throw new Error("The native part is not built: npm run native:build builds it.");
  return realpath(join(bundleFolder, "localBuilds", built.folderName, "Release"));
}

/** Compilers write their name and version into what they make. */
async function compilerOf(library) {
  const text = await readFile(library, "latin1");
  const [made] = /(GCC: \([^)\0]*\) [\d.]+|[\w ]*clang version [^\0]*)\0/.exec(text) ?? [];
  return made === undefined ? "unknown" : made.slice(0, -1).trim();
}

async function build(release, libraries, target) {
  const folder = await mkdtemp(join(tmpdir(), "longsight-count-"));
  try {
    await extractPatched(folder, headers);
    const include = ["include", "ggml/include", "src"].map((name) => `-I${join(folder, "source", ...name.split("/"))}`);
    const link = [`-L${release}`, ...libraries.map((name) => `-l:${name}`)];
    const files = sources.filter((name) => name.endsWith(".cpp"));
    const made = join(dirname(target), `.${basename(target)}-${process.pid}`);
    await run(compiler, [...compilerOptions, ...include, ...files, "-o", made, ...link]);
    await rename(made, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function main() {
  setPriority(10);
  const release = await releaseFolder();
  const names = await readdir(release);
  const find = (pattern) => names.find((name) => pattern.test(name));
  const libraries = [/^libllama(\.[a-z]+)?\.so$/, /^libggml(\.[a-z]+)?\.so$/, /^libggml-base\.so$/].map(find);
  const backend = find(/^libggml-cpu-x64\.so$/);
  if (backend === undefined || libraries.includes(undefined))
    throw new Error("This native part has no library for every x86-64 processor.");
  // In the folder of the native build, so that it goes when that does.
  const folder = join(dirname(release), "count");
  const program = join(folder, `longsight-count-${(await hashOfFiles(sources, compilerOptions)).slice(0, 16)}`);
  await mkdir(folder, { recursive: true });
  await withLock(join(folder, "building.lock"), async () => {
    if (!(await exists(program))) await build(release, libraries, program);
  });
  const about = await readJson(join(release, "_nlcBuildMetadata.json"));
  const options = about?.buildOptions?.customCmakeOptions ?? {};
  const described = Object.entries(options).filter(([name]) => !name.startsWith("NLC_") && !name.startsWith("LLAMA_"));
  const flags = described.map(([name, value]) => `${name}=${value}`).join(" ");
  console.log(
    JSON.stringify({ program, release, backend: join(release, backend), compiler: await compilerOf(join(release, backend)), flags }),
  );
}

try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
