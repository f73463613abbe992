// The npm packages: installed where package-lock.json says something else than what lies in node_modules.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readJson, root, writeWhole } from "./files.mjs";
import { capture } from "./run.mjs";

const modules = join(root, "node_modules");
const stamp = join(modules, ".longsight-packages.json");

async function lockHash() {
  return createHash("sha256")
    .update(await readFile(join(root, "package-lock.json")))
    .digest("hex");
}

/**
 * Whether what npm wrote down about node_modules is what the lock file asks for. Optional packages may be absent: they
 * are for other platforms.
 * @param {{ packages?: Record<string, { version?: string, optional?: boolean }> } | null} wanted package-lock.json
 * @param {{ packages?: Record<string, { version?: string }> } | null} installed node_modules/.package-lock.json
 */
export function isInstalled(wanted, installed) {
  if (!wanted?.packages || !installed?.packages) return false;
  const expected = Object.entries(wanted.packages).filter(([path]) => path !== "");
  if (Object.keys(installed.packages).some((path) => !(path in wanted.packages))) return false;
  return expected.every(([path, { version, optional }]) => {
    const found = installed.packages[path];
    return found ? found.version === version : optional === true;
  });
}

/** npm as it runs us, else the one on the path. */
export function npmCommand(args) {
  const script = process.env.npm_execpath;
  if (script && /npm-cli\.[cm]?js$/.test(script)) return { command: process.execPath, args: [script, ...args], options: {} };
  return { command: "npm", args, options: { shell: process.platform === "win32" } };
}

/**
 * Installs the packages where they are not those of the lock file.
 * @param {{ say?: (step: string, fraction: number) => void }} [options]
 * @returns {Promise<boolean>} whether anything was installed
 */
export async function ensurePackages({ say = () => {} } = {}) {
  const hash = await lockHash();
  if ((await readJson(stamp))?.hash === hash) return false;
  const current = isInstalled(await readJson(join(root, "package-lock.json")), await readJson(join(modules, ".package-lock.json")));
  if (!current) {
    say("Installing the npm packages (npm ci)", 0);
    const { command, args, options } = npmCommand(["ci", "--loglevel=error"]);
    const { code, output } = await capture(command, args, { cwd: root, ...options });
    if (code !== 0) {
      const reason = output.trim().split("\n").slice(-12).join("\n");
      throw new Error(
        `The npm packages could not be installed. Check the network (or npm's own settings) and run the same command again.\n${reason}`,
      );
    }
  }
  await writeWhole(stamp, JSON.stringify({ hash }));
  return !current;
}
