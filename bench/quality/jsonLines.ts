import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import { UsageError } from "./options.ts";

/**
 * The rows of a data set, in order.
 * @param name path below the data folder
 * @throws UsageError where the file is missing, empty or of another form
 */
export async function readRows<Row extends object>(dataFolder: string, name: string, schema: z.ZodType<Row>): Promise<Row[]> {
  const text = await readFile(join(dataFolder, name), "utf8").catch(() => {
    throw new UsageError(`The data set ${name} was not found. Set LONGSIGHT_DATA to the folder that holds it.`);
  });
  const rows = parseRows(text, schema);
  if (rows.length === 0 || rows.includes(null)) throw new UsageError(`The data set ${name} is empty, damaged or of another form.`);
  return rows.filter((row) => row !== null);
}

/** One row for each line that is not blank; null for one that is not as the schema says. Strings may hold other line separators than \n. */
export function parseRows<Row extends object>(text: string, schema: z.ZodType<Row>): (Row | null)[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      try {
        return schema.safeParse(JSON.parse(line)).data ?? null;
      } catch {
        return null;
      }
    });
}
