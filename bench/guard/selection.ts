import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tools } from "../quality/tools.ts";
import { ChildError, outputOf } from "../speed/child.ts";
import { countInstructions } from "./callgrind.ts";
import type { SelectionCounts } from "./counts.ts";

/**
 * V8 without its compilers and threads, and with nothing left to chance: what is counted is the work that the program says, step by step,
 * and not what a compiler makes of it in its own time.
 */
const plain = ["--jitless", "--single-threaded", "--hash-seed=1", "--random-seed=1"];
/** Two numbers of selections: what the second takes more is theirs, and the start is not. */
const [few, more] = [1, 4];

/** Counts the selection of what is kept. @throws ChildError */
export async function countSelection({ bench }: Tools["scripts"]): Promise<SelectionCounts> {
  const folder = await mkdtemp(join(tmpdir(), "longsight-guard-"));
  try {
    const script = join(folder, "select.cjs");
    await outputOf(process.execPath, [join(bench, "guard", "selection.mjs"), script]);
    const count = async (times: number) => {
      const { dumps } = await countInstructions(process.execPath, [...plain, script, String(times)], { functions: null, libraries: null });
      const [whole] = dumps;
      if (whole === undefined) throw new ChildError("callgrind counted nothing.");
      return whole.instructions;
    };
    const least = await count(few);
    return { node: process.versions.node, counts: { selection: Math.round(((await count(more)) - least) / (more - few)) } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
