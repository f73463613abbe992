import { expect, it } from "vitest";
import { defaultThreads } from "../../../../electron/engine/llama/threads.ts";

it.each([
  // logical, physical, chosen
  [1, 1, 1],
  [2, 2, 2],
  [4, 2, 2],
  [4, 4, 4],
  [8, 4, 4],
  [6, 6, 5],
  [16, 8, 7],
  [64, 64, 63],
  // a container with fewer cores than the machine has
  [2, 32, 2],
  // counts that a system could not give
  [1, 0, 1],
  [0, 0, 1],
])("of %i cores (%i physical) %i compute", (cores, physicalCores, threads) => {
  expect(defaultThreads(cores, physicalCores)).toBe(threads);
});
