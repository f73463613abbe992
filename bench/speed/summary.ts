import { medianOf } from "../quality/averages.ts";
import { fitGrowth, type Growth, type GrowthPoint } from "./growth.ts";
import type { EngineTimes, OtherTimes, PolicyTimes, TurnOutcome } from "./outcome.ts";
import type { Missing } from "./programs.ts";
import { kvTypes } from "./turns.ts";

/** The least and the most of the rounds. */
export type Range = readonly [least: number, most: number];

/** What a policy adds to the reading of a prompt, at the reference budget: medians over the rounds, milliseconds. */
export type PolicySummary = {
  readonly policy: string;
  readonly readingMs: number;
  readonly draftMs: number;
  readonly draftTokens: number;
  readonly scoringMs: number;
  readonly selectionMs: number;
  readonly gatherMs: number;
  readonly addedMs: number;
  /** Median of each round's own ratio of what is added to reading. */
  readonly share: number;
  readonly shareRange: Range;
};

/** A full cache: medians and range over the rounds, milliseconds, decoding by token. */
type FullSummary = {
  /** That came to their end. */
  readonly rounds: number;
  readonly prefillMs: number;
  readonly prefillRange: Range;
  readonly decodeMs: number;
  readonly decodeRange: Range;
};
type KeptSummary = { readonly budget: number; readonly cacheBytes: number; readonly decodeMs: number; readonly decodeRange: Range };

/** The app's engine; bytes are of allocated caches. */
export type OwnSummary = FullSummary & {
  readonly firstTokenMs: number;
  readonly cacheBytes: number;
  readonly kept: readonly KeptSummary[];
  readonly policies: readonly PolicySummary[];
};
export type OtherSummary = FullSummary & { readonly program: "stock" | "llama-bench"; readonly kvType: string };

export type LengthSummary = {
  readonly length: number;
  readonly promptTokens: number;
  /** Null where the engine had no turn that came to its end. */
  readonly own: OwnSummary | null;
  readonly others: readonly OtherSummary[];
};

/** How one stage grows; `exponent` is null where there is one length only, or a time that is not above 0. */
export type StageGrowth = { readonly what: string; readonly stage: string; readonly points: readonly GrowthPoint[] } & (
  | { readonly exponent: null }
  | Pick<Growth, "exponent" | "factor">
);

export type SpeedSummary = { readonly lengths: readonly LengthSummary[]; readonly growth: readonly StageGrowth[] };

type EngineTurn = Extract<TurnOutcome, { times: EngineTimes }>;

/** @param reference the budget at which what policies add is compared */
export function summarise(outcomes: readonly TurnOutcome[], reference: number): SpeedSummary {
  const lengths = [...new Set(outcomes.map(({ length }) => length))]
    .sort((one, other) => one - other)
    .map((length) =>
      summariseLength(
        outcomes.filter((outcome) => outcome.length === length),
        length,
        reference,
      ),
    );
  return { lengths, growth: growthOf(lengths) };
}

/** Everything that a run did without, each reason once. */
export function missingOf(outcomes: readonly TurnOutcome[], programs: readonly Missing[]): Missing[] {
  const tokens = (length: number) => `${length.toLocaleString("en")} tokens`;
  const all = outcomes.flatMap((outcome): Missing[] => {
    if ("failed" in outcome) return [{ what: `${outcome.program}, ${outcome.kvType}, ${tokens(outcome.length)}`, reason: outcome.failed }];
    if (!isOwn(outcome)) return [];
    return outcome.times.refused.map(({ policy, reason }) => ({ what: `the policy ${policy}, ${tokens(outcome.length)}`, reason }));
  });
  const distinct = new Map([...programs, ...all].map((missing) => [`${missing.what}\0${missing.reason}`, missing]));
  return [...distinct.values()];
}

const isOwn = (outcome: TurnOutcome): outcome is EngineTurn => outcome.program === "longsight" && "times" in outcome;

function summariseLength(outcomes: readonly TurnOutcome[], length: number, reference: number): LengthSummary {
  const turns = outcomes.filter(isOwn);
  const others = (["stock", "llama-bench"] as const).flatMap((program) =>
    kvTypes.flatMap((kvType): OtherSummary[] => {
      const times = outcomes.flatMap((outcome) =>
        outcome.program === program && outcome.kvType === kvType && "times" in outcome ? [outcome.times] : [],
      );
      return times.length === 0 ? [] : [{ program, kvType, ...summariseFull(times) }];
    }),
  );
  const promptTokens = outcomes.find((outcome) => "times" in outcome)?.promptTokens ?? length;
  return {
    length,
    promptTokens,
    own:
      turns.length === 0
        ? null
        : summariseOwn(
            turns.map(({ times }) => times),
            reference,
          ),
    others,
  };
}

function summariseOwn(turns: readonly EngineTimes[], reference: number): OwnSummary {
  const distinct = <Key>(keys: readonly Key[]): Key[] => [...new Set(keys)];
  return {
    ...summariseFull(turns),
    firstTokenMs: medianOf(turns.map(({ firstTokenMs }) => firstTokenMs)),
    cacheBytes: medianOf(turns.map(({ cacheBytes }) => cacheBytes)),
    kept: distinct(turns.flatMap(({ kept }) => kept.map(({ budget }) => budget))).map((budget) => {
      const own = turns.flatMap(({ kept }) => kept.filter((one) => one.budget === budget));
      return { budget, cacheBytes: medianOf(own.map(({ cacheBytes }) => cacheBytes)), ...summariseDecoding(own) };
    }),
    policies: distinct(turns.flatMap(({ policies }) => policies.map(({ policy }) => policy))).map((policy) =>
      summarisePolicy(policy, turns, reference),
    ),
  };
}

function summariseFull(turns: readonly OtherTimes[]): FullSummary {
  const prefill = turns.map(({ prefillMs }) => prefillMs);
  return { rounds: turns.length, prefillMs: medianOf(prefill), prefillRange: rangeOf(prefill), ...summariseDecoding(turns) };
}

/** Each round by the token in its middle. */
function summariseDecoding(turns: readonly Pick<OtherTimes, "decodeMs">[]): Pick<FullSummary, "decodeMs" | "decodeRange"> {
  const decode = turns.map(({ decodeMs }) => medianOf(decodeMs));
  return { decodeMs: medianOf(decode), decodeRange: rangeOf(decode) };
}

const rangeOf = (values: readonly number[]): Range => [Math.min(...values), Math.max(...values)];

function summarisePolicy(policy: string, turns: readonly EngineTimes[], reference: number): PolicySummary {
  const rounds = turns.flatMap(({ prefillMs, policies }) =>
    policies.filter((one) => one.policy === policy).map((times) => ({ prefillMs, ...stagesOf(times, reference) })),
  );
  const middle = (read: (round: (typeof rounds)[number]) => number) => medianOf(rounds.map(read));
  const shareOf = ({ addedMs, prefillMs }: (typeof rounds)[number]) => addedMs / prefillMs;
  return {
    policy,
    readingMs: middle(({ readingMs }) => readingMs),
    draftMs: middle(({ draftMs }) => draftMs),
    draftTokens: middle(({ draftTokens }) => draftTokens),
    scoringMs: middle(({ scoringMs }) => scoringMs),
    selectionMs: middle(({ selectionMs }) => selectionMs),
    gatherMs: middle(({ gatherMs }) => gatherMs),
    addedMs: middle(({ addedMs }) => addedMs),
    share: middle(shareOf),
    shareRange: rangeOf(rounds.map(shareOf)),
  };
}

function stagesOf({ readingMs, draftMs, draftTokens, scoringMs, budgets }: PolicyTimes, reference: number) {
  const at = budgets.find(({ budget }) => budget === reference);
  if (at === undefined) throw new RangeError(`Nothing was chosen at a budget of ${reference}.`);
  const { selectionMs, gatherMs } = at;
  const addedMs = readingMs + draftMs + scoringMs + selectionMs + gatherMs;
  return { readingMs, draftMs, draftTokens, scoringMs, selectionMs, gatherMs, addedMs };
}

function growthOf(lengths: readonly LengthSummary[]): StageGrowth[] {
  const stages = new Map<string, { what: string; stage: string; points: GrowthPoint[] }>();
  const add = (what: string, stage: string, tokens: number, ms: number) => {
    const key = `${what}\0${stage}`;
    const known = stages.get(key) ?? { what, stage, points: [] };
    known.points.push({ tokens, ms });
    stages.set(key, known);
  };
  for (const { promptTokens, own, others } of lengths) {
    if (own !== null) {
      add("longsight, full", "reading", promptTokens, own.prefillMs);
      add("longsight, full", "decoding", promptTokens, own.decodeMs);
      for (const { budget, decodeMs } of own.kept) add(`longsight, ${budget} kept`, "decoding", promptTokens, decodeMs);
      for (const { policy, readingMs, draftMs, scoringMs, selectionMs, gatherMs, addedMs } of own.policies) {
        add(policy, "scoring", promptTokens, readingMs + draftMs + scoringMs);
        add(policy, "selecting", promptTokens, selectionMs);
        add(policy, "gathering", promptTokens, gatherMs);
        add(policy, "all that it adds", promptTokens, addedMs);
      }
    }
    for (const { program, kvType, prefillMs, decodeMs } of others) {
      add(`${program}, ${kvType}`, "reading", promptTokens, prefillMs);
      add(`${program}, ${kvType}`, "decoding", promptTokens, decodeMs);
    }
  }
  return [...stages.values()].map((stage): StageGrowth => {
    const growth = fitGrowth(stage.points);
    return growth === null ? { ...stage, exponent: null } : { ...stage, exponent: growth.exponent, factor: growth.factor };
  });
}
