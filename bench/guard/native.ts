import { join } from "node:path";
import { z } from "zod";
import type { Tools } from "../quality/tools.ts";
import { ChildError, lastJson, outputOf } from "../speed/child.ts";
import { countInstructions, type Dump, valgrindVersion } from "./callgrind.ts";
import type { Counts, NativeCounts } from "./counts.ts";
import { parts } from "./parts.ts";

const builtSchema = z.object({ program: z.string(), release: z.string(), backend: z.string(), compiler: z.string(), flags: z.string() });
const saidSchema = z.object({ libc: z.string() });

/** Why nothing is counted on this machine; null where it can be. */
export async function whyNotCounted(): Promise<string | null> {
  if (process.platform !== "linux" || process.arch !== "x64") return "instructions are counted on Linux and x86-64 alone";
  try {
    await valgrindVersion();
    return null;
  } catch (error) {
    if (error instanceof ChildError) return "valgrind is not installed (Debian and Ubuntu: apt install valgrind)";
    throw error;
  }
}

/** Counts the native part: scoring and gathering as the engine's own libraries do them. @throws ChildError */
export async function countNative({ native }: Tools["scripts"]): Promise<NativeCounts> {
  const built = builtSchema.parse(lastJson(await outputOf(process.execPath, [join(native, "count.mjs")], { isShown: true })));
  const functions = { pattern: "count_*", names: parts.map(({ symbol }) => symbol) };
  const { dumps, output } = await countInstructions(built.program, [built.backend], { functions, libraries: built.release });
  const { libc } = saidSchema.parse(lastJson(output));
  const { compiler, flags } = built;
  return { compiler, libc, valgrind: await valgrindVersion(), flags, counts: countsOf(dumps) };
}

/** The last call of each part counts: the ones before made room for it. What took no instruction was not counted. */
export function countsOf(dumps: readonly Dump[]): Counts {
  return Object.fromEntries(
    parts.flatMap(({ name, symbol }) => {
      const last = dumps.filter(({ trigger }) => trigger === symbol).at(-1);
      return last === undefined || last.instructions === 0 ? [] : [[name, last.instructions]];
    }),
  );
}
