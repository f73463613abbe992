import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sampleDocument } from "../../../electron/main/sample.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight-sample-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("the sample document is found beside the app or in a packaged app's resources, and missing where it is missing", async () => {
  const samples = join(folder, "resources", "assets", "samples");
  await mkdir(samples, { recursive: true });
  const places = { appFolder: join(folder, "app"), resourcesFolder: join(folder, "resources") };
  expect(sampleDocument({ ...places, packaged: true })).toBeNull();
  await writeFile(join(samples, "longsight-sample.pdf"), "%PDF-1.7");
  expect(sampleDocument({ ...places, packaged: true })).toBe(join(samples, "longsight-sample.pdf"));
  expect(sampleDocument({ ...places, packaged: false })).toBeNull();
});
