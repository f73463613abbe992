import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import "../../../../renderer/text/i18n.ts";
import { MemoryRows } from "../../../../renderer/budget/MemoryGauge.tsx";

const machine = { residentBytes: 400_000_000, memoryBytes: 8_000_000_000, freeMemoryBytes: 2_000_000_000 };
const shown = (model: Parameters<typeof MemoryRows>[0]["memory"]["model"]): string =>
  renderToStaticMarkup(<MemoryRows memory={{ model, ...machine }} />)
    .replace(/<[^>]*>/g, "|")
    .replaceAll("\u00a0", " ");

test("memory is told part by part, and a cache that is not there as none", () => {
  const words = shown({ weightsBytes: 145_000_000, fullCacheBytes: 94_000_000, keptCacheBytes: 0 });
  expect(words).toMatch(/\|Model weights\|+145 MB\|/);
  expect(words).toMatch(/\|Full cache\|+94 MB\|/);
  expect(words).toMatch(/\|Kept cache\|+none now\|/);
  expect(words).toMatch(/\|Engine process\|+400 MB\|/);
  expect(words).toMatch(/\|This computer\|+2\.0 GB free of 8\.0 GB\|/);
});

test("without a model there is the engine and the machine alone", () => {
  const words = shown(null);
  expect(words).not.toContain("Model weights");
  expect(words).toContain("Engine process");
});
