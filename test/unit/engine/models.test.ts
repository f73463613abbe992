import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { modelReportSchema } from "../../../electron/contract/model.ts";
import type { Machine } from "../../../electron/engine/machine.ts";
import { createModelShelf } from "../../../electron/engine/models.ts";
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
