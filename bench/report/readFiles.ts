import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { RawFile } from "./assemble.ts";
import type { Context } from "./kind.ts";

/** Every raw file (JSON) below docs/results. @param root of the checkout */
export async function readRawFiles(root: string): Promise<RawFile[]> {
  const results = join(root, "docs", "results");
  const paths = await pathsBelow(results, ".json");
  return Promise.all(
    paths.map(async (path) => ({ file: relative(results, path).split(sep).join("/"), text: await readFile(path, "utf8") })),
  );
}

/** What the report knows besides: the lookahead modules in assets. @param root of the checkout */
export async function readContext(root: string): Promise<Context> {
  const modules = await pathsBelow(join(root, "assets", "lookahead"), ".gguf");
  const hashes = modules.map(async (path) =>
    createHash("sha256")
      .update(await readFile(path))
      .digest("hex"),
  );
  return { shipped: new Set(await Promise.all(hashes)) };
}

/** Absolute paths of files whose names end so, sorted. */
async function pathsBelow(folder: string, ending: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(folder, name));
}
