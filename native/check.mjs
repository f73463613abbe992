// Random sequences of everything the patches add, under AddressSanitizer and UBSan with llama.cpp's assertions on.
//
//   node native/check.mjs [--sequences 1000] [--seed 1] [--only SEED] [--plain] [--verbose]
//
// --only runs one sequence, the one of a seed that was reported. --plain builds without the sanitisers, for a debugger.
// The first run compiles llama.cpp for ten minutes or more; the compiler's output stays in the cache folder.
import { mkdir, readFile, rm } from "node:fs/promises";
import { availableParallelism, setPriority } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cacheFolder } from "../scripts/cache.mjs";
import { withLock } from "../scripts/lock.mjs";
import { progress } from "../scripts/progress.mjs";
import { hand, messageOf } from "../scripts/run.mjs";
import { run, stagePatched } from "./source.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** CMake goes on only with the checkout that it began with; another one's objects serve this one as well. */
async function forgetOtherCheckout(build) {
  const cache = await readFile(join(build, "CMakeCache.txt"), "utf8").catch(() => "");
  const began = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(cache)?.[1];
  if (began === undefined || began === join(here, "check")) return;
  for (const name of ["CMakeCache.txt", "CMakeFiles"]) await rm(join(build, name), { recursive: true, force: true });
}

async function compile(source, build, sanitised, say) {
  await forgetOtherCheckout(build);
  const options = [`-DLLAMA_SOURCE=${source}`, `-DCHECK_SANITIZERS=${sanitised ? "ON" : "OFF"}`];
  await run("cmake", ["-S", join(here, "check"), "-B", build, ...options]);
  const jobs = String(availableParallelism());
  await run("cmake", ["--build", build, "--parallel", jobs, "--target", "longsight-check"], {
    onLine(line) {
      const percent = /^\[\s*(\d+)%\]/.exec(line);
      if (percent) say("Compiling llama.cpp for the check", 0.02 + 0.98 * (Number(percent[1]) / 100));
    },
  });
}

async function main() {
  const flag = { type: "boolean", default: false };
  const text = { type: "string" };
  const { values } = parseArgs({ options: { sequences: text, seed: text, only: text, plain: flag, verbose: flag } });
  const sanitised = !values.plain;
  if (process.platform === "win32") throw new Error("The check needs AddressSanitizer of gcc or clang: run it on Linux or macOS.");
  setPriority(10);
  const folder = join(cacheFolder(), "native", "check");
  const source = join(folder, "llama.cpp");
  const build = join(folder, sanitised ? "build" : "build-plain");
  const { say, note, end } = progress();
  await mkdir(folder, { recursive: true });
  await withLock(join(folder, "building.lock"), async () => {
    say("Staging llama.cpp with the patch series", 0);
    await stagePatched(source);
    await compile(source, build, sanitised, say);
  });
  end();
  note("Running");
  const args = ["sequences", "seed", "only"].flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]));
  const suppressions = join(here, "check", "ubsan.supp");
  return hand(join(build, "longsight-check"), [...args, ...(values.verbose ? ["--verbose"] : [])], {
    env: {
      ...process.env,
      ASAN_OPTIONS: "detect_stack_use_after_return=1:strict_string_checks=1:halt_on_error=1",
      UBSAN_OPTIONS: `print_stacktrace=1:halt_on_error=1:suppressions=${suppressions}`,
    },
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`The native check could not run. ${messageOf(error)}`);
  process.exitCode = 1;
}
