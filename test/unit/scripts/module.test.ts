import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ensureUntrainedModule } from "../../../scripts/module.mjs";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight module ü'-"));
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "Base Model.gguf"), "GGUF");
  vi.stubEnv("LONGSIGHT_CACHE", join(folder, "cache"));
  vi.stubEnv("PATH", `${join(folder, "bin")}${delimiter}/usr/bin${delimiter}/bin`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** A Python whose pip and modules do what a test needs: `$target` is pip's folder, `$out` the module to write, `$*` all options. */
async function fakePython({ about = "echo cpython-311", install = 'mkdir -p "$target/gguf"', write = 'echo "$*" > "$out"' } = {}) {
  const script = `#!/bin/sh
all=$*
while [ $# -gt 0 ]; do
  case "$1" in --target) target=$2 ;; --out) out=$2 ;; esac
  shift
done
set -- $all
case "$all" in
  *"pip install"*) ${install} ;;
  *longsight_training*) ${write} ;;
  *sysconfig*) ${about} ;;
esac
`;
  for (const name of ["python3", "python", "py"]) {
    await writeFile(join(folder, "bin", name), script);
    await chmod(join(folder, "bin", name), 0o755);
  }
}

const base = () => join(folder, "Base Model.gguf");
const left = async (name: string) => (await readdir(join(folder, "cache", name)).catch(() => [])).filter((entry) => !entry.startsWith("."));

describe.skipIf(process.platform === "win32")("an untrained module", () => {
  it("is written once for the same base and options, and its packages are installed once", async () => {
    await fakePython();
    const path = await ensureUntrainedModule(base(), { seed: 3, tokens: 16, randomLora: 0.5 });
    expect(path).toMatch(/cache\/modules\/untrained-base model-seed3-random-[0-9a-f]{12}\.gguf$/);
    expect(await readFile(path, "utf8")).toMatch(
      /untrained --base .* --seed 3 --tokens 16 --rank 8 --alpha 32 --pool-kernel 7 --random-lora 0\.5/,
    );
    await fakePython({ install: "exit 1", write: "exit 1" });
    expect(await ensureUntrainedModule(base(), { seed: 3, tokens: 16, randomLora: 0.5 })).toBe(path);
    expect(await left("python")).toHaveLength(1);
  });

  it("is another one for other options or another base", async () => {
    await fakePython();
    const paths = [await ensureUntrainedModule(base()), await ensureUntrainedModule(base(), { rank: 4 })];
    await writeFile(base(), "GGUF, changed");
    paths.push(await ensureUntrainedModule(base()));
    expect(new Set(paths).size).toBe(3);
    expect((await left("modules")).sort()).toEqual(paths.map((path) => path.slice(path.lastIndexOf("/") + 1)).sort());
  });

  it("says what to do where pip cannot install, with pip's own reason, and leaves nothing behind", async () => {
    await fakePython({ install: 'mkdir -p "$target/half"; echo "ERROR: no route to the index" >&2; exit 1' });
    await expect(ensureUntrainedModule(base())).rejects.toThrow(
      /could not be installed with pip.*Check the network[\s\S]*no route to the index/,
    );
    expect(await left("python")).toEqual([]);
    expect(await readdir(join(folder, "cache", "python"))).toEqual([]);
  });

  it("says which Python it needs", async () => {
    await fakePython({ about: "exit 1" });
    await expect(ensureUntrainedModule(base())).rejects.toThrow(/3\.9 or newer/);
  });

  it("passes on what the training package says", async () => {
    await fakePython({ write: 'echo "Base Model.gguf is not a complete GGUF file" >&2; exit 1' });
    await expect(ensureUntrainedModule(base())).rejects.toThrow(/Base Model could not be written\.\nBase Model\.gguf is not a complete/);
    expect(await left("modules")).toEqual([]);
  });
});
