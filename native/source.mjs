// llama.cpp as the native part builds it: the sources of node-llama-cpp's bundle, node-llama-cpp's patches, ours.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { capture } from "../scripts/run.mjs";

const here = dirname(fileURLToPath(import.meta.url));
/** Of node-llama-cpp's package: its bundle of llama.cpp, its patches, and where builds are linked. */
export const bundleFolder = join(dirname(here), "node_modules", "node-llama-cpp", "llama");
const bundle = join(bundleFolder, "gitRelease.bundle");

/** Runs a program. @returns {Promise<string>} its output. @throws Error with the end of that where it fails */
export async function run(command, args, options = {}) {
  const { code, output } = await capture(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.slice(0, 3).join(" ")} ended with code ${code}:\n${output.slice(-4000)}`);
  return output.trim();
}

async function patchFiles(folder, pattern) {
  const names = (await readdir(folder)).filter((name) => pattern.test(name)).sort();
  return names.map((name) => join(folder, name));
}

/**
 * Applies the patches in an index of their own.
 * @param {string} repository a clone of the bundle
 * @returns {Promise<string>} the tree of what comes out
 */
async function patchedTree(repository) {
  const gitFolder = await run("git", ["rev-parse", "--absolute-git-dir"], { cwd: repository });
  const index = join(gitFolder, "patched.index");
  await rm(index, { force: true });
  const git = (...args) => run("git", args, { cwd: repository, env: { ...process.env, GIT_INDEX_FILE: index } });
  await git("read-tree", "HEAD");
  for (const patch of await patchFiles(join(bundleFolder, "patches"), /\.diff$/)) {
    await git("apply", "--cached", "--ignore-whitespace", patch);
  }
  for (const patch of await patchFiles(join(here, "patches"), /^\d{4}-.*\.patch$/)) {
    // What does not touch llama.cpp changes node-llama-cpp's addon, which is no part of this.
    if ((await readFile(patch, "utf8")).includes("+++ b/llama.cpp/")) await git("apply", "--cached", "-p2", patch);
  }
  return git("write-tree");
}

/** Makes `folder` these sources. Only files that differ from the last time are written: a compiler redoes no more. */
export async function stagePatched(folder) {
  if (!existsSync(join(folder, ".git"))) {
    await rm(folder, { recursive: true, force: true });
    await run("git", ["clone", "--quiet", bundle, folder]);
  }
  await run("git", ["read-tree", "--reset", "-u", await patchedTree(folder)], { cwd: folder });
}

/**
 * Writes some of these sources below `folder`/source, and leaves nothing else behind.
 * @param {string} folder one that is there
 * @param {string[]} paths files and folders of llama.cpp
 */
export async function extractPatched(folder, paths) {
  const repository = join(folder, "source.git");
  await run("git", ["clone", "--quiet", "--bare", bundle, repository]);
  const tree = await patchedTree(repository);
  const target = join(folder, "source");
  await mkdir(target);
  await run("git", ["--work-tree", target, "checkout", tree, "--", ...paths], { cwd: repository });
  await rm(repository, { recursive: true, force: true });
}
