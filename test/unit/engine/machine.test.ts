import { totalmem } from "node:os";
import { expect, it } from "vitest";
import { describeMachine } from "../../../electron/engine/machine.ts";

it("describes the machine in whole numbers that make sense", async () => {
  const machine = await describeMachine();
  expect(Number.isInteger(machine.cores)).toBe(true);
  expect(machine.cores).toBeGreaterThanOrEqual(1);
  expect(Number.isInteger(machine.memoryBytes)).toBe(true);
  expect(machine.memoryBytes).toBeGreaterThan(2 ** 28);
  expect(machine.memoryBytes).toBeLessThanOrEqual(totalmem());
  expect(Number.isInteger(machine.freeMemoryBytes)).toBe(true);
  expect(machine.freeMemoryBytes).toBeGreaterThan(0);
  expect(machine.freeMemoryBytes).toBeLessThanOrEqual(machine.memoryBytes);
});
