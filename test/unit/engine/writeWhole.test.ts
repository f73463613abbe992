import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkedOut, writeWhole } from "../../../electron/engine/writeWhole.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight-out-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("writeWhole", () => {
  it("writes pieces of text and bytes in order and replaces what was there", async () => {
    const path = join(folder, "a.json");
    await writeFile(path, "something longer than what comes");
    async function* pieces() {
      yield "ä";
      yield Uint8Array.of(65, 66);
    }
    expect(await writeWhole(path, pieces())).toEqual({ bytes: 4 });
    expect(await readFile(path, "utf8")).toBe("äAB");
    expect(await readdir(folder)).toEqual(["a.json"]);
  });

  it("leaves what was there, and nothing else, where a piece fails", async () => {
    const path = join(folder, "a.json");
    await writeFile(path, "before");
    async function* pieces() {
      yield "half";
      throw new Error("stopped");
    }
    await expect(writeWhole(path, pieces())).rejects.toThrow("stopped");
    expect(await readFile(path, "utf8")).toBe("before");
    expect(await readdir(folder)).toEqual(["a.json"]);
  });

  it("says that it cannot write, and where", async () => {
    const path = join(folder, "gone", "a.json");
    await expect(writeWhole(path, ["x"])).rejects.toMatchObject({ code: "storage", message: expect.stringContaining(path) });
  });
});

describe("checkedOut", () => {
  it("gives the place, whether or not there is a file", async () => {
    expect(await checkedOut(join(folder, "new.html"), [])).toMatch(/new\.html$/);
    await writeFile(join(folder, "old.html"), "");
    expect(await checkedOut(join(folder, "old.html"), [join(folder, "missing.pdf")])).toMatch(/old\.html$/);
  });

  it("refuses a missing folder, a folder, and the document itself under any name", async () => {
    const refused = (path: string, inputs: string[] = []) => expect(checkedOut(path, inputs)).rejects;
    await refused(join(folder, "no", "a.html")).toMatchObject({ code: "usage", message: expect.stringContaining("no folder") });
    await mkdir(join(folder, "dir.html"));
    await refused(join(folder, "dir.html")).toMatchObject({ code: "usage" });
    const text = join(folder, "text.html");
    await writeFile(text, "my only copy");
    await symlink(text, join(folder, "link.html"));
    await refused(text, [text]).toMatchObject({ code: "usage", message: expect.stringContaining("never written over") });
    await refused(join(folder, "link.html"), [text]).toMatchObject({ code: "usage" });
  });
});
