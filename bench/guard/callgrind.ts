import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf } from "../speed/child.ts";

/** A part of a run: what ended it, and its instructions. */
export type Dump = { readonly part: number; readonly trigger: string; readonly instructions: number };

/**
 * The C library and mathematics choose functions by the processor; these names of its tunables (an unknown one is passed over) leave them
 * the same on every x86-64. Symbols are bound before anything is counted.
 */
const environment = {
  GLIBC_TUNABLES:
    "glibc.cpu.hwcaps=-AVX,-AVX2,-AVX2_Usable,-AVX_Usable,-AVX512F,-FMA,-FMA4,-FMA_Usable,-ERMS,-FSRM,-AVX_Fast_Unaligned_Load",
  LD_BIND_NOW: "1",
  NODE_OPTIONS: "",
};

/** The version of the valgrind that is installed. @throws ChildError where none is */
export async function valgrindVersion(): Promise<string> {
  return (await outputOf("valgrind", ["--version"])).trim().replace(/^valgrind-/, "");
}

/**
 * Counts a program's instructions.
 * @param options.functions that are counted, each call by itself, and a pattern that they alone match; null: the whole run is
 * @param options.libraries folder of those that are the program's own
 * @returns the dumps in their order, and what the program wrote
 * @throws ChildError where valgrind is not there, or the program fails
 */
export async function countInstructions(
  program: string,
  args: readonly string[],
  {
    functions,
    libraries,
  }: { readonly functions: { readonly pattern: string; readonly names: readonly string[] } | null; readonly libraries: string | null },
): Promise<{ readonly dumps: readonly Dump[]; readonly output: string }> {
  const folder = await mkdtemp(join(tmpdir(), "longsight-guard-"));
  try {
    // Of several names to collect by, callgrind 3.19 heeds the first.
    const chosen =
      functions === null ? [] : [`--toggle-collect=${functions.pattern}`, ...functions.names.map((name) => `--dump-after=${name}`)];
    const own = ["--tool=callgrind", `--callgrind-out-file=${join(folder, "counts")}`, "--dump-line=no", ...chosen];
    const env = { ...process.env, ...environment, ...(libraries === null ? {} : { LD_LIBRARY_PATH: libraries }) };
    const output = await outputOf("valgrind", [...own, program, ...args], { env });
    const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
    return { dumps: texts.flatMap((text) => readDump(text) ?? []).sort((one, other) => one.part - other.part), output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads what callgrind wrote of a part of a run; null where it is something else. */
export function readDump(text: string): Dump | null {
  const [, part] = /^part: (\d+)$/m.exec(text) ?? [];
  const [, trigger] = /^desc: Trigger: (.+)$/m.exec(text) ?? [];
  const [, total] = /^totals: (\d+)$/m.exec(text) ?? [];
  if (part === undefined || trigger === undefined || total === undefined) return null;
  return { part: Number(part), trigger: trigger.replace(/^--dump-after=/, ""), instructions: Number(total) };
}
