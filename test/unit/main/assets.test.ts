import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sampleDocument, windowIcon } from "../../../electron/main/assets.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight-assets-"));
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ["the sample document", sampleDocument, "samples", "longsight-sample.pdf"],
  ["the window's icon", windowIcon, "icons", "longsight-256.png"],
] as const)(
  "%s is found beside the app or in a packaged app's resources, and missing where it is missing",
  async (_name, find, kind, file) => {
    const there = join(folder, "resources", "assets", kind);
    await mkdir(there, { recursive: true });
    const places = { appFolder: join(folder, "app"), resourcesFolder: join(folder, "resources") };
    expect(find({ ...places, packaged: true })).toBeNull();
    await writeFile(join(there, file), "x");
    expect(find({ ...places, packaged: true })).toBe(join(there, file));
    expect(find({ ...places, packaged: false })).toBeNull();
  },
);
