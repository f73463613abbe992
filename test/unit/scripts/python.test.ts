import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ensurePythonPackages, findPython } from "../../../scripts/python.mjs";

let folder: string;
let python: string;
const real = process.env["PATH"] ?? "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight python ü'-"));
  const [program = ""] = await findPython();
  python = program;
  await mkdir(join(folder, "bin"));
  vi.stubEnv("LONGSIGHT_CACHE", join(folder, "cache"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** The real Python where versions are asked for, and a pip that does what a test needs: `$target` is its folder, `$all` all options. */
async function fakeInstall(install: string) {
  const script = `#!/bin/sh
all=$*
case "$all" in
  *"pip install"*)
    while [ $# -gt 0 ]; do
      case "$1" in --target) target=$2 ;; esac
      shift
    done
    ${install} ;;
  *importlib* | *"(4, 2)"*) PATH=$REAL_PATH exec ${python} "$@" ;;
  *sysconfig*) echo cpython-311 ;;
esac
`;
  await writeFile(join(folder, "bin", python), script);
  await chmod(join(folder, "bin", python), 0o755);
  vi.stubEnv("REAL_PATH", real);
  vi.stubEnv("PATH", `${join(folder, "bin")}${delimiter}${real}`);
}

async function requirements(text: string) {
  const file = join(folder, "requirements.txt");
  await writeFile(file, text);
  return file;
}

const inCache = () => readdir(join(folder, "cache", "python")).catch(() => []);

describe.skipIf(process.platform === "win32")("packages with what they need in turn", () => {
  it("are taken from a Python that has them all, and nothing is installed", async () => {
    await fakeInstall("exit 1");
    const file = await requirements('# what we need\npip>=1  # any\n\nnone-such==1; python_version < "3"\n');
    expect(await ensurePythonPackages(file, { dependencies: true })).toEqual({ command: [python], folder: null });
    expect(await inCache()).toEqual([]);
  });

  it.each(["pip==0.0.1", "pip>=1\nno-such-package-of-longsight==1"])(
    "are installed once where one is missing or of another version",
    async (text) => {
      await fakeInstall('mkdir -p "$target"; echo "$all" > "$target/options"; echo "$TMPDIR" > "$target/temporary"');
      const file = await requirements(text);
      const { folder: installed } = await ensurePythonPackages(file, { dependencies: true });
      if (installed === null) throw new Error("Nothing was installed.");
      const options = await readFile(join(installed, "options"), "utf8");
      expect(options).toContain(`--requirement ${file}`);
      expect(options).not.toContain("--no-deps");
      // Gigabytes go where they will lie, not into the system's folder for temporary files.
      expect(await readFile(join(installed, "temporary"), "utf8")).toContain(join(folder, "cache", "python"));
      expect(await inCache()).toEqual([installed.split("/").at(-1)]);
      await fakeInstall("exit 1");
      expect((await ensurePythonPackages(file, { dependencies: true })).folder).toBe(installed);
    },
  );

  it("are installed by one of two that want them at once", async () => {
    await fakeInstall('echo once >> "$LONGSIGHT_CACHE/count"; sleep 0.3; mkdir -p "$target"');
    const file = await requirements("pip==0.0.1");
    const both = await Promise.all([1, 2].map(() => ensurePythonPackages(file, { dependencies: true })));
    expect(both[0]?.folder).toBe(both[1]?.folder);
    expect(await readFile(join(folder, "cache", "count"), "utf8")).toBe("once\n");
  });

  it("leave nothing behind where pip fails, not even what one that was killed had left", async () => {
    const file = await requirements("pip==0.0.1");
    await fakeInstall('mkdir -p "$target/half"; kill -9 $$');
    await expect(ensurePythonPackages(file, { dependencies: true })).rejects.toThrow(/could not be installed with pip/);
    await fakeInstall('mkdir -p "$target/half"; echo "ERROR: No space left on device" >&2; exit 1');
    await expect(ensurePythonPackages(file, { dependencies: true })).rejects.toThrow(/and the disk[\s\S]*No space left/);
    expect(await inCache()).toEqual([]);
  });

  it("want a Python that is new enough, and say for what", async () => {
    const file = await requirements("pip>=1");
    const wanted = ensurePythonPackages(file, { dependencies: true, least: [4, 2], name: "flying" });
    await expect(wanted).rejects.toThrow("Python is too old: for flying, 4.2 or newer is needed.");
  });
});
