import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import { writeWhole } from "../../scripts/files.mjs";
import { parseRows } from "./jsonLines.ts";

/** What was measured of a run so far, on disk: a run that was ended goes on where it was. */
export type Journal<Item> = {
  readonly items: readonly Item[];
  add(item: Item): Promise<void>;
  /** Once the results are written. */
  remove(): Promise<void>;
};

/**
 * Opens the journal of a run. Lines that cannot be read are left out: their items are measured again.
 * @param run everything that decides what comes out; another run has another journal
 */
export async function openJournal<Item extends object>(
  folder: string,
  name: string,
  run: unknown,
  schema: z.ZodType<Item>,
): Promise<Journal<Item>> {
  const key = createHash("sha256").update(JSON.stringify(run)).digest("hex").slice(0, 16);
  const file = join(folder, `${name}-${key}.jsonl`);
  const text = await readFile(file, "utf8").catch(() => "");
  const items = parseRows(text, schema).filter((item) => item !== null);
  return {
    items,
    async add(item) {
      items.push(item);
      await writeWhole(file, items.map((each) => `${JSON.stringify(each)}\n`).join(""));
    },
    remove: () => rm(file, { force: true }),
  };
}
