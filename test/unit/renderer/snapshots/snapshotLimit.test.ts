import { expect, test } from "vitest";
import { defaultSnapshotBudgetBytes } from "../../../../electron/contract/snapshots.ts";
import { limitBytes, limitText } from "../../../../renderer/snapshots/snapshotLimit.ts";

test.each([
  ["10", 10_000_000_000],
  ["0", 0],
  [" 0.5 ", 500_000_000],
  ["2,5", 2_500_000_000],
  ["0.0001", 0],
])("%o gigabytes are %d bytes", (text, bytes) => {
  expect(limitBytes(text)).toBe(bytes);
});

test.each(["", " ", "-1", "much", "1e9", "Infinity", "NaN"])("%o is no limit", (text) => {
  expect(limitBytes(text)).toBeNull();
});

test("a limit is typed as it is read", () => {
  expect(limitText(defaultSnapshotBudgetBytes)).toBe("10");
  expect(limitText(500_000_000)).toBe("0.5");
  for (const text of ["10", "0", "0.25", "1.001"]) expect(limitText(limitBytes(text) ?? -1)).toBe(text);
});
