// npm packages that benches measure beside ours: each in a folder of its own in the cache, never among this checkout's packages.
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../../scripts/cache.mjs";
import { readJson } from "../../scripts/files.mjs";
import { withLock } from "../../scripts/lock.mjs";
import { npmCommand } from "../../scripts/packages.mjs";
import { capture } from "../../scripts/run.mjs";

/**
 * Fetches packages with npm where they are not there.
 * @param {{ name: string, dependencies: Record<string, string>, overrides?: Record<string, string>, main: string }} wanted
 *   name: of the folder; main: the package that is measured
 * @returns {Promise<{ folder: string, integrity: string }>} integrity: what npm checked the main package against
 */
export async function ensureFetched({ name, dependencies, overrides = {}, main }) {
  const parent = join(cacheFolder(), "bench");
  const folder = join(parent, name);
  await mkdir(parent, { recursive: true });
  await withLock(join(parent, `${name}.lock`), async () => {
    if ((await integrityIn(folder, main)) !== null) return;
    console.error(`Fetching ${main} ${dependencies[main]}`);
    await install(folder, { dependencies, overrides, main });
  });
  const integrity = await integrityIn(folder, main);
  if (integrity === null) throw new Error(`npm installed ${main} without a checksum.`);
  return { folder, integrity };
}

async function integrityIn(folder, main) {
  const lock = await readJson(join(folder, "package-lock.json"));
  return lock?.packages?.[`node_modules/${main}`]?.integrity ?? null;
}

/** Installed beside its place and renamed, so that what is there is whole. */
async function install(folder, { dependencies, overrides, main }) {
  const fresh = `${folder}.new-${process.pid}`;
  try {
    await mkdir(fresh, { recursive: true });
    await writeFile(join(fresh, "package.json"), JSON.stringify({ private: true, dependencies, overrides }));
    const npm = npmCommand(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    const { code, output } = await capture(npm.command, npm.args, { cwd: fresh, ...npm.options });
    if (code !== 0)
      throw new Error(`npm could not fetch ${main} ${dependencies[main]}.\n${output.trim().split("\n").slice(-6).join("\n")}`);
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
