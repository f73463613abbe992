// node-llama-cpp as anybody gets it: the same version with its own binaries, in a folder of its own in the cache, never among this checkout's packages.
//
//   node bench/speed/stock.mjs [BACKEND]    fetches it with npm where it is not there, and says where it is
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../../scripts/cache.mjs";
import { readJson, root } from "../../scripts/files.mjs";
import { withLock } from "../../scripts/lock.mjs";
import { npmCommand } from "../../scripts/packages.mjs";
import { capture, messageOf } from "../../scripts/run.mjs";

const platforms = { linux: "linux", darwin: "mac", win32: "win" };

/** @param {string | null} backend that the app's own build computes with; null for the CPU */
function binaryPackage(backend) {
  const parts = [platforms[process.platform] ?? process.platform, process.arch, ...(backend === null ? [] : [backend])];
  return `@node-llama-cpp/${parts.join("-")}`;
}

/**
 * @param {string | null} backend
 * @returns {Promise<{ folder: string, version: string, binary: string, integrity: string }>} integrity: what npm checked the binaries against
 */
async function ensureStock(backend) {
  const { version, optionalDependencies } = await readJson(join(root, "node_modules", "node-llama-cpp", "package.json"));
  const binary = binaryPackage(backend);
  if (!(binary in optionalDependencies)) throw new Error(`node-llama-cpp ${version} has no binaries for this machine (${binary}).`);
  const parent = join(cacheFolder(), "bench");
  const folder = join(parent, `stock-${version}-${binary.split("/")[1]}`);
  await mkdir(parent, { recursive: true });
  await withLock(join(parent, "stock.lock"), async () => {
    if ((await integrityIn(folder, binary)) !== null) return;
    console.error(`Fetching node-llama-cpp ${version} with its own binaries (${binary})`);
    await install(folder, { version, binary, others: Object.keys(optionalDependencies) });
  });
  const integrity = await integrityIn(folder, binary);
  if (integrity === null) throw new Error(`npm installed ${binary} without a checksum.`);
  return { folder, version, binary, integrity };
}

async function integrityIn(folder, binary) {
  const lock = await readJson(join(folder, "package-lock.json"));
  return lock?.packages?.[`node_modules/${binary}`]?.integrity ?? null;
}

/** Installed beside its place and renamed, so that what is there is whole. */
async function install(folder, { version, binary, others }) {
  const fresh = `${folder}.new-${process.pid}`;
  // Binaries for other machines are hundreds of megabytes.
  const overrides = Object.fromEntries(others.filter((name) => name !== binary).map((name) => [name, "npm:empty-npm-package@1.0.0"]));
  try {
    await mkdir(fresh, { recursive: true });
    await writeFile(
      join(fresh, "package.json"),
      JSON.stringify({ private: true, dependencies: { "node-llama-cpp": version, [binary]: version }, overrides }),
    );
    const { command, args, options } = npmCommand(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    const { code, output } = await capture(command, args, { cwd: fresh, ...options });
    if (code !== 0) throw new Error(`npm could not fetch ${binary} ${version}.\n${output.trim().split("\n").slice(-6).join("\n")}`);
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

try {
  console.log(JSON.stringify(await ensureStock(process.argv[2] ?? null)));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
