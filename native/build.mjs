// Builds llama.cpp and node-llama-cpp's addon with our patch series, once per hash of everything that goes in,
// and puts the result where node-llama-cpp's getLlama("lastBuild") loads it.
//
//   npm run native:build -- [--gpu false|cuda|metal|vulkan] [--force] [--keep]
//
// A build that was interrupted goes on where it stopped. --keep leaves the compiler's output in place, so that a changed
// patch recompiles only what it touches.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cacheFolder } from "../scripts/cache.mjs";
import { exists } from "../scripts/files.mjs";
import { withLock } from "../scripts/lock.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const bundleFolder = join(root, "node_modules", "node-llama-cpp", "llama");

/** Raised when the steps below change what they produce from the same input. */
const RECIPE = 1;

const GPU_CHOICES = { false: {}, cuda: { GGML_CUDA: "ON" }, metal: { GGML_METAL: "ON" }, vulkan: { GGML_VULKAN: "ON" } };

/** CMake options and targets for one GPU choice on one platform. Never -march=native: a build may move to another machine. */
export function buildOptions(gpu, platform = process.platform, arch = process.arch) {
  // One library for each CPU generation (the list is in patches/0003-variants.patch); ggml picks the best the machine can run.
  const variants = platform === "linux" && arch === "x64";
  return {
    options: {
      CMAKE_BUILD_TYPE: "Release",
      GGML_NATIVE: "OFF",
      GGML_BACKEND_DL: variants ? "ON" : "OFF",
      GGML_CPU_ALL_VARIANTS: variants ? "ON" : "OFF",
      GGML_METAL: "OFF",
      GGML_CCACHE: "OFF",
      GGML_BUILD_NUMBER: "1",
      LLAMA_CURL: "OFF",
      LLAMA_HTTPLIB: "OFF",
      LLAMA_OPENSSL: "OFF",
      LLAMA_BUILD_BORINGSSL: "OFF",
      NLC_VARIANT: "longsight",
      NLC_CURRENT_PLATFORM: `${platform}-${arch}`,
      NLC_TARGET_PLATFORM: `${platform}-${arch}`,
      ...GPU_CHOICES[gpu],
    },
    targets: ["llama-addon", ...(variants && gpu !== "false" ? [`ggml-${gpu}`] : [])],
  };
}

async function filesBelow(folder, pattern) {
  const names = (await readdir(folder)).filter((name) => pattern.test(name)).sort();
  return names.map((name) => join(folder, name));
}

/** What goes into a build, and the hash that names it. */
async function describe(gpu) {
  const { version } = JSON.parse(await readFile(join(root, "node_modules", "node-llama-cpp", "package.json"), "utf8"));
  const patches = await filesBelow(join(here, "patches"), /^\d{4}-.*\.patch$/);
  const sources = await filesBelow(join(here, "addon"), /\.(cpp|h)$/);
  const { options, targets } = buildOptions(gpu);
  const hash = createHash("sha256");
  hash.update(JSON.stringify({ RECIPE, version, options, targets }));
  for (const file of [...patches, ...sources]) hash.update(basename(file)).update(await readFile(file));
  return { version, patches, sources, options, targets, hash: hash.digest("hex").slice(0, 16) };
}

function run(command, args, { cwd, env = process.env, onLine }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const tail = [];
    let rest = "";
    const take = (chunk) => {
      const lines = (rest + chunk).split(/\r?\n|\r/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        tail.push(line);
        if (tail.length > 60) tail.shift();
        onLine?.(line);
      }
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", (error) =>
      reject(
        error.code === "ENOENT"
          ? new Error(
              `${command} was not found. Install it (Debian and Ubuntu: apt install ${command} build-essential) and run the same command again.`,
            )
          : error,
      ),
    );
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args[0] ?? ""} ended with code ${code}:\n${tail.join("\n")}`)),
    );
  });
}

/** Makes `target` equal to `source`, leaving equal files untouched so that the compiler need not redo them. */
async function synchronise(source, target) {
  await mkdir(target, { recursive: true });
  const [wanted, present] = await Promise.all([readdir(source, { withFileTypes: true }), readdir(target)]);
  const names = new Set(wanted.map((entry) => entry.name));
  for (const name of present) if (!names.has(name)) await rm(join(target, name), { recursive: true, force: true });
  for (const entry of wanted) {
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (entry.isDirectory()) await synchronise(from, to);
    else if (!entry.isFile()) continue;
    else if (!(await exists(to)) || !(await readFile(from)).equals(await readFile(to))) await cp(from, to);
  }
}

async function stage(folder, description, say) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  say("Unpacking llama.cpp from node-llama-cpp's bundle", 0);
  for (const name of ["CMakeLists.txt", "addon", "cmake", "patches", "package.json", "profiles", "toolchains"]) {
    await cp(join(bundleFolder, name), join(folder, name), { recursive: true });
  }
  // A repository of its own: inside somebody else's, "git apply" would look for the files there and skip ours.
  await run("git", ["init", "--quiet", folder], { cwd: root });
  await run("git", ["clone", "--quiet", join(bundleFolder, "gitRelease.bundle"), "llama.cpp"], { cwd: folder });
  await rm(join(folder, "llama.cpp", ".git"), { recursive: true, force: true });

  say("Applying the patch series", 0.02);
  for (const patch of await filesBelow(join(folder, "patches"), /\.diff$/)) {
    await run("git", ["apply", "--ignore-whitespace", "--directory=llama.cpp", patch], { cwd: folder });
  }
  for (const patch of description.patches) await run("git", ["apply", patch], { cwd: folder });
  await mkdir(join(folder, "addon", "longsight"));
  for (const source of description.sources) await cp(source, join(folder, "addon", "longsight", basename(source)));
}

async function compile(folder, build, description, say) {
  const headers = join(root, "node_modules", "node-api-headers");
  const settings = { ...description.options, CMAKE_JS_INC: join(headers, "include") };
  if (process.platform === "win32") {
    settings.CMAKE_JS_NODELIB_DEF = join(headers, "def", "node_api.def");
    settings.CMAKE_JS_NODELIB_TARGET = join(build, "node.lib");
    settings.CMAKE_JS_LIB = settings.CMAKE_JS_NODELIB_TARGET;
  }
  if (process.platform === "darwin") settings.CMAKE_SHARED_LINKER_FLAGS = "-undefined dynamic_lookup";
  const environment = { ...process.env, NODE_PATH: join(root, "node_modules") };
  say("Configuring (CMake)", 0.03);
  await run("cmake", ["-S", folder, "-B", build, ...Object.entries(settings).map(([key, value]) => `-D${key}=${value}`)], {
    cwd: folder,
    env: environment,
  });
  await run("cmake", ["--build", build, "--config", "Release", "--parallel", String(cpus().length), "--target", ...description.targets], {
    cwd: folder,
    env: environment,
    onLine(line) {
      const percent = /^\[\s*(\d+)%\]/.exec(line);
      const steps = /^\[(\d+)\/(\d+)\]/.exec(line);
      if (percent) say("Compiling llama.cpp", 0.05 + 0.93 * (Number(percent[1]) / 100));
      else if (steps) say("Compiling llama.cpp", 0.05 + 0.93 * (Number(steps[1]) / Number(steps[2])));
    },
  });
}

async function librariesIn(build) {
  const wanted = /\.(node|so|dylib|dll|metal)$/;
  const entries = await readdir(build, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && wanted.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

async function collect(build, target) {
  for (const library of await librariesIn(build)) await cp(library, join(target, basename(library)));
}

/** Points node-llama-cpp at a finished build: its localBuilds folder and lastBuild.json. */
async function link(release, name) {
  const local = join(bundleFolder, "localBuilds", name);
  await rm(local, { recursive: true, force: true });
  await mkdir(local, { recursive: true });
  await symlink(release, join(local, "Release"), "junction");
  await writeFile(join(local, "buildDone.status"), "");
  await writeFile(join(bundleFolder, "lastBuild.json"), JSON.stringify({ folderName: name }));
}

async function build({ gpu, keep, say, name, target, description }) {
  const work = join(cacheFolder(), "native", `work-${gpu === "false" ? "cpu" : gpu}`);
  const fresh = `${target}.new-${process.pid}`;
  try {
    await stage(join(work, "stage"), description, say);
    await synchronise(join(work, "stage"), join(work, "source"));
    // What an earlier build linked may not be part of this one; linking anew costs seconds.
    for (const library of await librariesIn(join(work, "build"))) await rm(library);
    await compile(join(work, "source"), join(work, "build"), description, say);
    await rm(fresh, { recursive: true, force: true });
    await mkdir(join(fresh, "Release"), { recursive: true });
    await collect(join(work, "build"), join(fresh, "Release"));
    const metadata = {
      buildOptions: {
        customCmakeOptions: description.options,
        progressLogs: false,
        platform: process.platform === "win32" ? "win" : process.platform === "darwin" ? "mac" : "linux",
        platformInfo: { name: process.platform, version: "" },
        arch: process.arch,
        gpu: gpu === "false" ? false : gpu,
        llamaCpp: { repo: "ggml-org/llama.cpp", release: "v0.4.0" },
      },
    };
    await writeFile(join(fresh, "Release", "_nlcBuildMetadata.json"), JSON.stringify(metadata));
    const about = {
      name,
      hash: description.hash,
      gpu,
      patches: description.patches.map((file) => basename(file)),
      nodeLlamaCpp: description.version,
    };
    await writeFile(join(fresh, "done.json"), JSON.stringify(about, null, 2));
    await rm(target, { recursive: true, force: true });
    await rename(fresh, target);
    if (!keep) await rm(work, { recursive: true, force: true });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/**
 * Makes sure that the patched native part for this checkout exists and is the one that loads.
 * @param gpu "false" | "cuda" | "metal" | "vulkan"
 * @param keep leave the compiler's output for the next build
 * @param say (step, fraction 0…1) for progress
 * @returns {{ hash: string, built: boolean, folder: string }}
 */
export async function ensureNative({
  gpu = process.platform === "darwin" && process.arch === "arm64" ? "metal" : "false",
  force = false,
  keep = false,
  say = () => {},
} = {}) {
  const description = await describe(gpu);
  const name = `longsight-${process.platform}-${process.arch}-${gpu === "false" ? "cpu" : gpu}-${description.hash}`;
  const target = join(cacheFolder(), "native", name);
  const release = join(target, "Release");
  const isThere = () => exists(join(target, "done.json"));
  const buildAlone = () =>
    withLock(join(cacheFolder(), "native", `building-${gpu}.lock`), async () => {
      if (!force && (await isThere())) return false;
      await build({ gpu, keep, say, name, target, description });
      return true;
    });
  // What is there is whole (done.json comes last), and need not wait for another checkout's build.
  const built = !force && (await isThere()) ? false : await buildAlone();
  await link(release, name);
  return { hash: description.hash, built, folder: target };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flag = { type: "boolean", default: false };
  const { values } = parseArgs({ options: { gpu: { type: "string", default: "false" }, force: flag, keep: flag } });
  if (!(values.gpu in GPU_CHOICES)) {
    console.error(`--gpu ${values.gpu}: choose one of ${Object.keys(GPU_CHOICES).join(", ")}`);
    process.exit(2);
  }
  let shown = "";
  const say = (step, fraction) => {
    const line = `${step} · ${Math.floor(fraction * 100)} %`;
    if (line !== shown) console.error(line);
    shown = line;
  };
  const started = Date.now();
  try {
    const { hash, built, folder } = await ensureNative({ gpu: values.gpu, force: values.force, keep: values.keep, say });
    console.error(`${built ? `Built in ${Math.round((Date.now() - started) / 1000)} s` : "Already built"}: ${hash} in ${folder}`);
  } catch (error) {
    console.error(`The native part could not be built. ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}
