// Python, which brings files out of its package index: pip downloads, we check what came.
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { filesBelow } from "./files.mjs";
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

/** Unpacks a wheel (a zip file) into a folder. */
export async function unpackWheel(wheel, folder) {
  const [command, ...first] = await findPython();
  const { code, output } = await capture(command, [...first, "-m", "zipfile", "-e", wheel, folder]);
  if (code !== 0) throw new Error(`${wheel} could not be unpacked. Is the disk full?\n${output.trim().split("\n").slice(-2).join("\n")}`);
}
