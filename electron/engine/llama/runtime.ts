import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Llama } from "node-llama-cpp";
import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";
import { type Bindings, bindingsSchema, expectedAddonVersion } from "./bindings.ts";

export type Runtime = {
  readonly bindings: Bindings;
  /** Name of the build folder: platform, backend and hash of everything that went into it. */
  readonly build: string;
  readonly backends: readonly string[];
  /** The CPU generation the loaded variant was built for, for example "zen4"; "baseline" where the build has one variant. */
  readonly variant: string;
  readonly gpu: string | null;
  readonly physicalCores: number;
  readonly nodeLlamaCpp: string;
};

/**
 * How long an OpenMP thread spins at a barrier before it sleeps: for long is bad on a busy desktop, where the thread it waits for may not
 * be running, and sleeping at once costs a wake-up at each of some hundred barriers a token. Measured in docs/decisions/0007-threads.md.
 */
const spinCount = "4000";

let loaded: Promise<Runtime> | undefined;

/**
 * Loads llama.cpp with our patches, once per process.
 * @throws LongsightError `engine-native` where the patched build is missing or of another version
 */
export function loadRuntime(): Promise<Runtime> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function load(): Promise<Runtime> {
  // Read by libgomp when it is loaded, which is now.
  process.env["GOMP_SPINCOUNT"] ??= spinCount;
  // Electron 22 is Node 16, which lacks it; node-llama-cpp copies option objects with it.
  if (typeof globalThis.structuredClone !== "function") {
    globalThis.structuredClone = (value) => deserialize(serialize(value));
  }

  const { getLlama, LlamaLogLevel, getModuleVersion } = await import("node-llama-cpp");
  const log: string[] = [];
  // "lastBuild" loads our build directly; every other way forks a process to try the binary first, which a packaged app forbids.
  const llama = await getLlama("lastBuild", {
    logLevel: LlamaLogLevel.warn,
    logger: (_level, message) => {
      log.push(message);
      if (log.length > 50) log.shift();
    },
    usePrebuiltBinaries: false,
    skipDownload: true,
    progressLogs: false,
    vramPadding: 0,
    ramPadding: 0,
  }).catch((error: unknown) => {
    throw missing(error instanceof Error ? error.message : String(error));
  });
  const parsed = bindingsSchema.safeParse(Reflect.get(llama, "_bindings"));
  if (!parsed.success || parsed.data.longsightVersion !== expectedAddonVersion) {
    throw missing(parsed.success ? `addon version ${parsed.data.longsightVersion}` : parsed.error.message);
  }
  const bindings = parsed.data;
  const libraries = await mappedLibraries();
  return {
    bindings,
    build: buildName(llama, libraries),
    backends: bindings.longsightBackends(),
    variant: variantOf(libraries),
    physicalCores: llama.cpuMathCores,
    gpu: bindings.getGpuType() || null,
    nodeLlamaCpp: await getModuleVersion(),
  };
}

function missing(detail: string): LongsightError {
  return new LongsightError("engine-native", say("nativePartMissing"), detail);
}

/** Folder name of the loaded build, as native/build.mjs names it: platform, backend, hash of patches, versions and options. */
function buildName(llama: Llama, libraries: readonly string[]): string {
  const addon = libraries.find((path) => basename(path) === "llama-addon.node");
  const described = `${llama.buildType} llama.cpp ${llama.llamaCppRelease.release} ${llama.gpu === false ? "cpu" : llama.gpu}`;
  return addon === undefined ? described : `${basename(dirname(dirname(addon)))} (llama.cpp ${llama.llamaCppRelease.release})`;
}

/** Paths of the libraries mapped into this process; empty where the system does not tell (only Linux does, as text). */
async function mappedLibraries(): Promise<string[]> {
  const maps = await readFile("/proc/self/maps", "utf8").catch(() => "");
  return [...new Set(maps.split("\n").map((line) => line.slice(line.indexOf("/"))))].filter((path) => /\.(so|node)$/.test(path));
}

/** The CPU variant that ggml chose, by the library it mapped; "baseline" where the build has only one. */
export function variantOf(libraries: readonly string[]): string {
  for (const path of libraries) {
    const match = /^libggml-cpu-(.+)\.so$/.exec(basename(path));
    if (match?.[1] !== undefined) return match[1];
  }
  return "baseline";
}
