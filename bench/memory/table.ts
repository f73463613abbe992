import { tableOf } from "../quality/table.ts";
import { stages } from "./stages.ts";
import type { RowSummary } from "./summary.ts";

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

/** What people read when a run has ended: megabytes, the most in each stage and as it ended. */
export function memoryTable(rows: readonly RowSummary[]): string {
  return tableOf([
    ["MB", ...stages, "most answering", "cache read", "cache answered"],
    ...rows.map(({ row, stages: own, mostBytes, fullCacheBytes, keptCacheBytes }) => [
      row,
      ...stages.map((stage) => {
        const found = own.find((one) => one.stage === stage);
        return found === undefined ? "–" : `${megabytes(found.mostBytes)} → ${megabytes(found.endBytes)}`;
      }),
      ...[mostBytes, fullCacheBytes, keptCacheBytes].map(megabytes),
    ]),
  ]);
}
