import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readRows } from "../quality/jsonLines.ts";
import { UsageError } from "../quality/options.ts";
import { plainStory } from "./haystack.ts";
import type { Words } from "./needle.ts";

/** The stories of SQuALITY's test part, as running text. */
export async function readStories(dataFolder: string): Promise<string[]> {
  const rows = await readRows(dataFolder, join("B_eval", "squality", "test.docs.jsonl"), z.object({ text: z.string() }));
  return rows.map(({ text }) => plainStory(text));
}

/** Plain words of a usual length; the lists have abbreviations and hyphens too. */
export async function readWords(dataFolder: string): Promise<Words> {
  const read = async (name: string) => {
    const text = await readFile(join(dataFolder, "B_eval", "words", name), "utf8").catch(() => {
      throw new UsageError(`The word list ${name} was not found. Set LONGSIGHT_DATA to the folder that holds it.`);
    });
    return text.split("\n").filter((word) => /^[a-z]{4,9}$/.test(word));
  };
  return { adjectives: await read("adjectivelist.txt"), nouns: await read("nounlist.txt") };
}
