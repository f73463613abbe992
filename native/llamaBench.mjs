// llama.cpp's own llama-bench, from the very source that the native part is built of: the bundle's, with the same options and for the same CPU generations,
// without a change to what it computes. Built once, into the cache folder, where a bench asks for it.
//
//   node native/llamaBench.mjs [--gpu false|cuda|metal|vulkan] [--if-built]    builds it where it is not there, and says where it is
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cacheFolder } from "../scripts/cache.mjs";
import { exists, readJson, writeWhole } from "../scripts/files.mjs";
import { withLock } from "../scripts/lock.mjs";
import { progress } from "../scripts/progress.mjs";
import { capture, messageOf } from "../scripts/run.mjs";
import { buildOptions } from "./build.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const packageFolder = join(dirname(here), "node_modules", "node-llama-cpp");
/** Which CPU generations are built, and that the one with AMX works (docs/decisions/0006-cpu-variants.md). */
const patches = ["0003-variants.patch", "0011-amx.patch"].map((name) => join(here, "patches", name));

/** Raised when the steps below change what they produce from the same input. */
const RECIPE = 1;

const onlyBench = {
  LLAMA_BUILD_TOOLS: "ON",
  LLAMA_BUILD_TESTS: "OFF",
  LLAMA_BUILD_EXAMPLES: "OFF",
  LLAMA_BUILD_SERVER: "OFF",
  LLAMA_BUILD_APP: "OFF",
  LLAMA_USE_PREBUILT_UI: "OFF",
};

async function run(command, args, options = {}) {
  const { code, output } = await capture(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.slice(0, 3).join(" ")} ended with code ${code}:\n${output.slice(-4000)}`);
  return output.trim();
}

/** What goes into the build, and the folder that is named by it. */
async function describe(gpu) {
  const { version } = await readJson(join(packageFolder, "package.json"));
  const { tag } = await readJson(join(packageFolder, "llama", "llama.cpp.info.json"));
  const options = { ...buildOptions(gpu).options, ...onlyBench };
  for (const name of Object.keys(options)) if (name.startsWith("NLC_")) delete options[name];
  const hash = createHash("sha256").update(JSON.stringify({ RECIPE, version, options }));
  for (const patch of patches) hash.update(await readFile(patch));
  return { tag, options, folder: join(cacheFolder(), "native", `llama-bench-${hash.digest("hex").slice(0, 16)}`) };
}

async function build({ options, folder }, say) {
  const [source, output] = [join(folder, "source"), join(folder, "build")];
  // A source that is only half there is made anew; what was compiled of the same source is not.
  if (!(await exists(join(folder, "staged.json")))) {
    await rm(source, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await run("git", ["clone", "--quiet", join(packageFolder, "llama", "gitRelease.bundle"), source]);
    for (const patch of patches) await run("git", ["apply", "-p2", patch], { cwd: source });
    await writeWhole(join(folder, "staged.json"), "{}\n");
  }
  say("Configuring llama-bench (CMake)", 0);
  await run("cmake", ["-S", source, "-B", output, ...Object.entries(options).map(([key, value]) => `-D${key}=${value}`)]);
  await run("cmake", ["--build", output, "--config", "Release", "--parallel", String(availableParallelism()), "--target", "llama-bench"], {
    onLine(line) {
      const percent = /^\[\s*(\d+)%\]/.exec(line);
      if (percent) say("Compiling llama-bench", 0.02 + 0.98 * (Number(percent[1]) / 100));
    },
  });
}

/** The program where the build left it: its libraries are beside it, and it looks for them there. */
async function programIn(folder) {
  const name = process.platform === "win32" ? "llama-bench.exe" : "llama-bench";
  const entries = await readdir(join(folder, "build", "bin"), { recursive: true, withFileTypes: true });
  const found = entries.find((entry) => entry.isFile() && entry.name === name);
  if (found === undefined) throw new Error(`The build of llama-bench has no ${name} in it.`);
  return join(found.parentPath ?? found.path, name);
}

async function main() {
  const { values } = parseArgs({ options: { gpu: { type: "string", default: "false" }, "if-built": { type: "boolean", default: false } } });
  const description = await describe(values.gpu);
  const { folder, tag } = description;
  const done = join(folder, "done.json");
  if (!(await exists(done))) {
    if (values["if-built"]) throw new Error("llama-bench was not built yet: npm run bench -- speed without --quick builds it.");
    const { say, end } = progress();
    await withLock(`${folder}.lock`, async () => {
      if (await exists(done)) return;
      await build(description, say);
      await writeWhole(done, `${JSON.stringify({ tag })}\n`);
      // What the program needs lies beside it.
      await rm(join(folder, "source"), { recursive: true, force: true });
    });
    end();
  }
  console.log(JSON.stringify({ program: await programIn(folder), source: `llama.cpp ${tag}` }));
}

try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
