import { medianOf } from "../quality/averages.ts";
import type { Course } from "./course.ts";
import type { MeasuredOutcome, MemoryOutcome } from "./outcome.ts";
import type { Row } from "./rows.ts";
import { type Stage, stages } from "./stages.ts";

/** What was resident in a stage: the most, as it ended, and what of that belongs to no file. Medians over the rounds, bytes. */
export type StageSummary = { readonly stage: Stage; readonly mostBytes: number; readonly endBytes: number; readonly ownBytes: number };

/** One row; medians over its rounds, bytes. */
export type RowSummary = {
  readonly row: string;
  readonly rounds: number;
  readonly policy: string;
  /** In their order; those that the row did not have are not there. */
  readonly stages: readonly StageSummary[];
  /** The most from the first prompt token that was read to the last one of the answer; and the least and the most of that in the rounds. */
  readonly mostBytes: number;
  readonly mostRange: readonly [number, number];
  readonly weightsBytes: number;
  readonly fullCacheBytes: number;
  readonly keptCacheBytes: number;
  readonly cacheBytesAfter: number;
  /** The round whose most is nearest to the median. */
  readonly course: Course;
};

const answering: readonly Stage[] = ["prefill", "scoring", "eviction", "decode"];

/** @param rows in the table's order; one that nothing came of is left out */
export function summarise(outcomes: readonly MemoryOutcome[], rows: readonly Row[]): RowSummary[] {
  const answered = outcomes.flatMap((outcome) => ("failed" in outcome ? [] : [outcome]));
  return rows.flatMap(({ name }): RowSummary[] => {
    const own = answered.filter(({ row }) => row === name);
    const middle = (read: (outcome: MeasuredOutcome) => number) => medianOf(own.map(read));
    const mostBytes = middle(mostOf);
    const [typical] = [...own].sort((one, other) => Math.abs(mostOf(one) - mostBytes) - Math.abs(mostOf(other) - mostBytes));
    if (typical === undefined) return [];
    return [
      {
        row: name,
        rounds: own.length,
        policy: typical.policy,
        stages: stages.flatMap((stage) => stageSummary(stage, own)),
        mostBytes,
        mostRange: [Math.min(...own.map(mostOf)), Math.max(...own.map(mostOf))],
        weightsBytes: middle(({ weightsBytes }) => weightsBytes),
        fullCacheBytes: middle(({ fullCacheBytes }) => fullCacheBytes),
        keptCacheBytes: middle(({ keptCacheBytes }) => keptCacheBytes),
        cacheBytesAfter: middle(({ cacheBytesAfter }) => cacheBytesAfter),
        course: typical.course,
      },
    ];
  });
}

function mostOf({ stages: own }: MeasuredOutcome): number {
  return Math.max(0, ...own.filter(({ stage }) => answering.includes(stage)).map(({ mostBytes }) => mostBytes));
}

/** A stage that came more than once in a round has the most of all times, and the end of the last. */
function stageSummary(stage: Stage, outcomes: readonly MeasuredOutcome[]): StageSummary[] {
  const rounds = outcomes.map((outcome) => outcome.stages.filter((one) => one.stage === stage)).filter((own) => own.length > 0);
  if (rounds.length === 0) return [];
  const mostBytes = medianOf(rounds.map((own) => Math.max(...own.map((one) => one.mostBytes))));
  const endBytes = medianOf(rounds.map((own) => own.at(-1)?.endBytes ?? 0));
  const ownBytes = medianOf(rounds.map((own) => own.at(-1)?.ownBytes ?? 0));
  return [{ stage, mostBytes, endBytes, ownBytes }];
}

/** Rows that were not had, each with its reason, once. */
export function missingOf(outcomes: readonly MemoryOutcome[]): { readonly what: string; readonly reason: string }[] {
  const failed = outcomes.flatMap((outcome) => ("failed" in outcome ? [{ what: outcome.row, reason: outcome.failed }] : []));
  return failed.filter(({ what, reason }, index) => failed.findIndex((one) => one.what === what && one.reason === reason) === index);
}
