import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settingsSchema } from "../../../electron/contract/shell.ts";
import { parseSettings, SettingsStore } from "../../../electron/main/settings.ts";

const defaults = settingsSchema.parse({});
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight settings "));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("settings", () => {
  it.each(["", "{", "[]", "null", "3", '"text"', "\0\0\0"])("gives the defaults for a file with %j", (text) => {
    expect(parseSettings(text)).toEqual(defaults);
  });

  it("falls back field by field", () => {
    const text = JSON.stringify({
      theme: "purple",
      model: "qwen",
      contextLength: -1,
      kvType: "q8_0",
      sampling: { seed: "x" },
      stranger: 1,
    });
    expect(parseSettings(text)).toEqual({ ...defaults, model: "qwen", kvType: "q8_0" });
  });

  it("changes what is named, keeps the rest and is read back by the next start", async () => {
    const file = join(folder, "sub", "settings.json");
    const store = await SettingsStore.open(file);
    await store.change({ theme: "dark", threads: 3 });
    await store.change({ lastConversation: "c1" });
    const next = await SettingsStore.open(file);
    expect(next.current).toEqual({ ...defaults, theme: "dark", threads: 3, lastConversation: "c1" });
    expect(store.current).toEqual(next.current);
  });

  it("ends as the last of many changes left it, with no half files beside", async () => {
    const file = join(folder, "settings.json");
    const store = await SettingsStore.open(file);
    await Promise.all(Array.from({ length: 30 }, (_, index) => store.change({ threads: index + 1 })));
    await store.settled();
    expect(parseSettings(await readFile(file, "utf8")).threads).toBe(30);
    expect(await readdir(folder)).toEqual(["settings.json"]);
  });

  it("says where it could not save, and keeps the change for this run", async () => {
    await writeFile(join(folder, "file"), "");
    const store = await SettingsStore.open(join(folder, "file", "settings.json"));
    await expect(store.change({ theme: "light" })).rejects.toMatchObject({ code: "storage", message: expect.stringContaining(folder) });
    expect(store.current.theme).toBe("light");
    await expect(store.settled()).resolves.toBeUndefined();
  });
});
