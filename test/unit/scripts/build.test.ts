import { Script } from "node:vm";
import { build as bundle } from "esbuild";
import { describe, expect, it } from "vitest";
import { build, bundleOptions } from "../../../scripts/build.mjs";

async function bundled(contents: string) {
  const { outputFiles } = await bundle({
    ...bundleOptions({ sourcemap: false }),
    stdin: { contents, resolveDir: process.cwd(), loader: "ts" },
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

describe("bundleOptions", () => {
  it("keeps import() of the native package: an ES module cannot be required", async () => {
    const text = await bundled('export const load = async () => (await import("node-llama-cpp")).getLlama;');
    expect(text).toMatch(/await import\("node-llama-cpp"\)/);
    expect(text).not.toMatch(/require\("node-llama-cpp"\)/);
  });

  it("requires what stays outside and bundles the rest, as a script that parses", async () => {
    const text = await bundled(
      'import { app } from "electron";\nimport Database from "libsql";\nimport { z } from "zod";\nconsole.log(app, Database, z.string());',
    );
    expect(text).toMatch(/require\("electron"\)/);
    expect(text).toMatch(/require\("libsql"\)/);
    expect(text).not.toMatch(/require\("zod"\)/);
    expect(() => new Script(`(function (require, module, exports, __filename) {${text}\n})`)).not.toThrow();
  });

  it("gives modules their own address", async () => {
    expect(await bundled("console.log(import.meta.url);")).toContain("console.log(longsightModuleUrl)");
  });

  it("writes the version in", async () => {
    expect(await bundled("console.log(LONGSIGHT_VERSION);")).toMatch(/console\.log\("\d+\.\d+\.\d+"\)/);
  });

  it("lowers syntax that Node 16 lacks", async () => {
    expect(await bundled("export class A { static { console.log(1); } accessor b = 1; }")).not.toContain("accessor b");
  });
});

describe("build", () => {
  it("refuses a part that does not exist and names those that do", async () => {
    await expect(build({ only: ["window"] })).rejects.toThrow(/"window".*main, preload, engine, cli, renderer/);
  });
});
