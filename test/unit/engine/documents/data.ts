import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");

/** Folder of real data, or null where this machine has none. */
export function dataFolder(): string | null {
  const folder = resolve(root, process.env["LONGSIGHT_DATA"] ?? "../shared/data");
  return existsSync(join(folder, "A_pdf", "MANIFEST.csv")) ? folder : null;
}
