import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LongsightError } from "../../../electron/contract/errors.ts";
import { modelReportSchema } from "../../../electron/contract/model.ts";
import { openAddedModels } from "../../../electron/engine/addedModels.ts";
import type { Machine } from "../../../electron/engine/machine.ts";
import { createModelShelf, type ShelfOptions } from "../../../electron/engine/models.ts";
import { type GgufValue, ggufBytes, tinyModel, tinyTensors } from "./llama/ggufFile.ts";

const machine: Machine = { cores: 4, memoryBytes: 8 * 1024 ** 3, freeMemoryBytes: 6 * 1024 ** 3 };

let folder = "";
let first = "";
let second = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight it's “models” "));
  first = join(folder, "first shelf");
  second = join(folder, "second");
  await mkdir(first);
  await mkdir(second);
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function put(path: string, over: Readonly<Record<string, GgufValue>> = {}): Promise<void> {
  await writeFile(path, ggufBytes(tinyModel(over), tinyTensors));
}

describe("the shelf", () => {
  it("lists the embedded model first, not what it was made from, then the others by name", async () => {
    await put(join(first, "aardvark.gguf"));
    await put(join(first, "Zebra.GGUF"));
    await put(join(first, "SmolLM2-135M-Instruct.Q4_1.gguf"));
    await put(join(second, "SmolLM2-135M-Instruct.Q8_0.gguf"));
    const reports = await createModelShelf([first, second]).list(machine);
    expect(reports.map(({ id, embedded }) => [id, embedded])).toEqual([
      ["smollm2-135m-instruct", true],
      ["zebra", false],
      ["aardvark", false],
    ]);
    for (const report of reports) expect(modelReportSchema.parse(report)).toEqual(report);
  });

  it("passes over what is no model, and folders that are not there", async () => {
    await put(join(first, "good.gguf"), { "general.name": "" });
    await writeFile(join(first, "broken.gguf"), "no model");
    await writeFile(join(first, "empty.gguf"), "");
    await writeFile(join(first, "letter.txt"), "Dear");
    await mkdir(join(first, "folder.gguf"));
    await put(join(first, "adapter.gguf"), { "general.type": "adapter" });
    const reports = await createModelShelf([join(folder, "gone"), first]).list(machine);
    expect(reports.map(({ id }) => id)).toEqual(["good"]);
    for (const report of reports) expect(modelReportSchema.safeParse(report).success).toBe(true);
    expect(await createModelShelf([]).list(machine)).toEqual([]);
  });

  it("lists a model that lies on two shelves once, from the first", async () => {
    await put(join(first, "same.gguf"));
    await put(join(second, "same.gguf"));
    const reports = await createModelShelf([first, second]).list(machine);
    expect(reports.map(({ path }) => path)).toEqual([join(first, "same.gguf")]);
  });

  it("judges the fit by the memory that is free", async () => {
    await put(join(first, "model.gguf"));
    const shelf = createModelShelf([first]);
    expect((await shelf.list(machine))[0]?.fit.verdict).toBe("fits");
    expect((await shelf.list({ ...machine, freeMemoryBytes: 1024 ** 2 }))[0]?.fit).toMatchObject({
      verdict: "does-not-fit",
      availableBytes: 1024 ** 2,
    });
  });
});

describe("finding a model", () => {
  it("goes by id, and by path wherever it lies", async () => {
    await put(join(first, "SmolLM2-135M-Instruct.Q8_0.gguf"), { "general.name": "Smol" });
    await put(join(second, "My Own (1).gguf"), { "general.name": "Mine" });
    const shelf = createModelShelf([first]);
    expect(await shelf.find("smollm2-135m-instruct")).toMatchObject({ embedded: true, header: { name: "SmolLM2 135M Instruct" } });
    const own = join(second, "My Own (1).gguf");
    expect(await shelf.find(own)).toMatchObject({ id: "my own (1)", embedded: false, header: { name: "Mine", path: own } });
    expect(await shelf.find(relative(process.cwd(), own))).toMatchObject({ header: { path: own } });
    // The path of a model on the shelf is that model.
    expect(await shelf.find(join(first, "SmolLM2-135M-Instruct.Q8_0.gguf"))).toMatchObject({ id: "smollm2-135m-instruct", embedded: true });
  });

  it("says which there are where an id is unknown", async () => {
    await put(join(first, "known.gguf"));
    await expect(createModelShelf([first]).find("unknown")).rejects.toMatchObject({
      code: "model-missing",
      message: expect.stringMatching(/“unknown”.*known/),
    });
    await expect(createModelShelf([second]).find("unknown")).rejects.toMatchObject({
      code: "model-missing",
      message: expect.stringMatching(/“unknown”.*No model is installed/),
    });
  });

  it("says what is wrong with a file that is named", async () => {
    const shelf = createModelShelf([first]);
    await writeFile(join(first, "broken.gguf"), "no model");
    await expect(shelf.find(join(first, "gone.gguf"))).rejects.toMatchObject({
      code: "model-missing",
      message: expect.stringContaining("“gone.gguf”"),
    });
    for (const name of ["broken", join(first, "broken.gguf")]) {
      await expect(shelf.find(name)).rejects.toMatchObject({ code: "model-invalid", message: expect.stringContaining("“broken.gguf”") });
    }
  });
});

describe("models of a person's own", () => {
  const mine = () => join(second, "Mine.gguf");
  const shelf = (options: ShelfOptions = {}) =>
    createModelShelf([first], { added: openAddedModels(join(folder, "models.json")), downloads: join(folder, "downloads"), ...options });

  it("are references that outlive the run, and leave the file alone when they go", async () => {
    await put(mine());
    expect(await shelf().add(mine())).toMatchObject({ id: "mine", origin: "added" });
    await shelf().add(mine());
    expect((await shelf().list(machine)).map(({ path, origin }) => [path, origin])).toEqual([[mine(), "added"]]);
    await shelf().remove(mine());
    expect(await shelf().list(machine)).toEqual([]);
    expect((await stat(mine())).isFile()).toBe(true);
  });

  it("are not put on the list where they cannot be used", async () => {
    await writeFile(mine(), "<html>");
    await expect(shelf().add(mine())).rejects.toMatchObject({ code: "model-invalid", message: expect.stringContaining("a web page") });
    await put(mine());
    const refused = shelf({ checkKind: async () => Promise.reject(new LongsightError("model-unsupported", "“Mine” is a recurrent one.")) });
    await expect(refused.add(mine())).rejects.toMatchObject({ code: "model-unsupported" });
    expect(await shelf().list(machine)).toEqual([]);
    expect(await shelf().listUnusable()).toEqual([]);
    // What the native part cannot say for want of itself is no fault of the model's.
    const without = shelf({ checkKind: async () => Promise.reject(new LongsightError("engine-native", "It is missing.")) });
    expect(await without.add(mine())).toMatchObject({ id: "mine" });
  });

  it("stay on the list, with what to do, when their file is gone or breaks", async () => {
    await put(mine());
    await shelf().add(mine());
    await rename(mine(), `${mine()}.moved`);
    expect(await shelf().list(machine)).toEqual([]);
    expect(await shelf().listUnusable()).toMatchObject([
      {
        path: mine(),
        name: "Mine.gguf",
        origin: "added",
        problem: { code: "model-missing", message: expect.stringMatching(/Mine\.gguf.*take it off/) },
      },
    ]);
    await writeFile(mine(), "GGUF");
    expect(await shelf().listUnusable()).toMatchObject([{ problem: { code: "model-invalid" } }]);
    await shelf().remove(mine());
    expect(await shelf().listUnusable()).toEqual([]);
  });

  it("are told apart from others with the same file name", async () => {
    await put(join(first, "Mine.gguf"));
    await put(mine());
    await shelf().add(mine());
    expect((await shelf().list(machine)).map(({ id }) => id)).toEqual(["mine", mine()]);
    expect(await shelf().find(mine())).toMatchObject({ id: mine(), header: { path: mine() } });
    expect(await shelf().find("mine")).toMatchObject({ header: { path: join(first, "Mine.gguf") } });
  });

  it("that were downloaded are deleted when they are taken off; what came with Longsight cannot be", async () => {
    const downloads = join(folder, "downloads");
    await mkdir(downloads);
    // Part of the embedded model's making where set-up puts it; a model like any other among the downloads.
    const loaded = join(downloads, "SmolLM2-135M-Instruct.Q4_1.gguf");
    await put(loaded);
    await put(join(first, "own.gguf"));
    expect((await shelf().list(machine)).map(({ origin }) => origin)).toEqual(["installed", "downloaded"]);
    await shelf().remove(loaded);
    await expect(stat(loaded)).rejects.toThrow();
    await expect(shelf().remove(join(first, "own.gguf"))).rejects.toMatchObject({ code: "not-supported" });
    await expect(shelf().remove("/etc/hostname")).rejects.toMatchObject({ code: "not-supported" });
    expect((await shelf().list(machine)).map(({ id }) => id)).toEqual(["own"]);
  });

  it("whose list is damaged are forgotten, and the damaged list is kept beside", async () => {
    await writeFile(join(folder, "models.json"), "{ broken");
    expect(await shelf().list(machine)).toEqual([]);
    await put(mine());
    await shelf().add(mine());
    expect(await readFile(join(folder, "models.json.broken"), "utf8")).toBe("{ broken");
    expect(await shelf().list(machine)).toHaveLength(1);
  });

  it("are all kept where several are added at once", async () => {
    const names = ["a", "b", "c", "d"].map((name) => join(second, `${name}.gguf`));
    for (const name of names) await put(name);
    const one = shelf();
    await Promise.all(names.map((name) => one.add(name)));
    // In whichever order they were read.
    expect((await shelf().list(machine)).map(({ path }) => path).sort()).toEqual(names);
  });
});

it("tells which lookahead module each model has before any is loaded", async () => {
  await put(join(first, "a.gguf"));
  await put(join(first, "b.gguf"));
  const moduleFor: ShelfOptions["moduleFor"] = async ({ path }) => {
    if (path.endsWith("a.gguf")) return { name: "For a", steps: 440 };
    throw new Error("The folder of modules cannot be read.");
  };
  const reports = await createModelShelf([first], { moduleFor }).list(machine);
  expect(reports.map(({ lookahead }) => lookahead)).toEqual([{ name: "For a", steps: 440 }, null]);
});
