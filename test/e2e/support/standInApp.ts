import { copyFile, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { root } from "../../../scripts/files.mjs";

const source = fileURLToPath(new URL("./standIn/", import.meta.url));

/** An app folder with the real main and preload, and an engine and a page that do what a test tells them. */
export async function makeStandInApp(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "longsight stand-in "));
  const out = join(folder, "out");
  await Promise.all([mkdir(join(out, "renderer"), { recursive: true }), mkdir(join(out, "engine"), { recursive: true })]);
  await copyFile(join(root, "package.json"), join(folder, "package.json"));
  for (const name of ["index.html", "page.js"]) await copyFile(join(source, name), join(out, "renderer", name));
  for (const part of ["main", "preload"]) await symlink(join(root, "out", part), join(out, part), "junction");
  await build({
    entryPoints: [join(source, "engine.mjs")],
    outfile: join(out, "engine", "engine.cjs"),
    format: "cjs",
    platform: "node",
    target: "node16",
    logLevel: "silent",
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
