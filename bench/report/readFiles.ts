import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { filesBelow, sha256Of } from "../../scripts/files.mjs";
import type { RawFile } from "./assemble.ts";
import type { Context } from "./kind.ts";

/** Every raw file (JSON) below docs/results. @param root of the checkout */
export async function readRawFiles(root: string): Promise<RawFile[]> {
  const results = join(root, "docs", "results");
  const paths = await filesBelow(results, (name) => name.endsWith(".json"));
  return Promise.all(
    paths.map(async (path) => ({ file: relative(results, path).split(sep).join("/"), text: await readFile(path, "utf8") })),
  );
}

/** What the report knows besides: the lookahead modules in assets. @param root of the checkout */
export async function readContext(root: string): Promise<Context> {
  const modules = await filesBelow(join(root, "assets", "lookahead"), (name) => name.endsWith(".gguf"));
  return { shipped: new Set(await Promise.all(modules.map(sha256Of))) };
}
