import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { isOverAfter, measureItems } from "../../../bench/quality/measureItems.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight-items-"));
  vi.stubEnv("LONGSIGHT_CACHE", folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

it("begins no further item when it is over, and goes on there the next time", async () => {
  const measured: number[] = [];
  const run = (most: number) =>
    measureItems<number, { item: number }>({
      bench: "test",
      run: "ended early",
      items: [3, 1, 2],
      schema: z.object({ item: z.number() }),
      isOf: (outcome, item) => outcome.item === item,
      step: "Items",
      lineOf: null,
      isOver: () => measured.length >= most,
      measure: async (item) => {
        measured.push(item);
        return { item };
      },
    });
  expect((await run(2)).outcomes).toEqual([{ item: 3 }, { item: 1 }]);
  const { outcomes, journal } = await run(99);
  expect(outcomes).toEqual([{ item: 3 }, { item: 1 }, { item: 2 }]);
  expect(measured).toEqual([3, 1, 2]);
  await journal.remove();
});

it("is over when its minutes are gone, and never without any", () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(5000);
  const [short, endless] = [isOverAfter(2), isOverAfter(null)];
  clock.mockReturnValue(5000 + 120_000);
  expect(short()).toBe(false);
  clock.mockReturnValue(5000 + 120_001);
  expect([short(), endless()]).toEqual([true, false]);
  clock.mockRestore();
});
