import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { RotatingLog } from "../../../electron/main/rotatingLog.ts";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight log "));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

it("writes in order and keeps itself and the one before it below the limit", async () => {
  const file = join(folder, "logs", "engine.log");
  const log = new RotatingLog(file, 1000);
  for (let index = 0; index < 200; index += 1) {
    log.write(`line ${index}\n`);
    if (index % 10 === 0) await log.settled();
  }
  await log.settled();
  expect((await readdir(join(folder, "logs"))).sort()).toEqual(["engine.log", "engine.log.1"]);
  const [now, before] = [await readFile(file, "utf8"), await readFile(`${file}.1`, "utf8")];
  expect(now.endsWith("line 199\n")).toBe(true);
  const numbers = (before + now).match(/\d+/g)?.map(Number) ?? [];
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => 200 - numbers.length + index));
  expect((await stat(file)).size).toBeLessThanOrEqual(1000);
});

it("goes on with a file of an earlier run", async () => {
  const file = join(folder, "main.log");
  for (const text of ["one\n", "two\n"]) {
    const log = new RotatingLog(file);
    log.write(text);
    await log.settled();
  }
  expect(await readFile(file, "utf8")).toBe("one\ntwo\n");
});

it("does not throw where nothing can be written", async () => {
  const log = new RotatingLog(join(folder, "\0", "main.log"));
  log.line("lost");
  await expect(log.settled()).resolves.toBeUndefined();
});
