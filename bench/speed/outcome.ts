import { z } from "zod";
import { kvTypes, type Turn } from "./turns.ts";

/** All times are milliseconds by the clock. */
const milliseconds = z.number();

/** Reading a prompt up to its first token, and each token that was decoded behind it from a full cache. */
const fullTimes = {
  prefillMs: milliseconds.positive(),
  decodeMs: z.array(milliseconds.positive()).min(1),
};

/** What one policy added to the reading of a prompt. */
const policyTimes = z.object({
  policy: z.string(),
  /** What scoring beside flash attention cost while rows were read; its sign is that of the measurement. 0 for policies without. */
  readingMs: milliseconds,
  draftMs: milliseconds,
  /** Tokens of its draft: 32, fewer where a smaller model ended before; 0 for policies without. */
  draftTokens: z.number().int(),
  scoringMs: milliseconds,
  /** At each of the budgets: choosing, and filling a small cache with what was chosen (allocating it included). */
  budgets: z.array(z.object({ budget: z.number().int(), selectionMs: milliseconds, gatherMs: milliseconds })).min(1),
});
export type PolicyTimes = z.infer<typeof policyTimes>;

/** A turn of the app's engine. */
export const engineTimes = z.object({
  ...fullTimes,
  /** Choosing the first token from the logits; not within `prefillMs`. */
  firstTokenMs: milliseconds,
  /** Of the full cache, as it is allocated. */
  cacheBytes: z.number(),
  policies: z.array(policyTimes),
  /** Each token that was decoded from a kept cache, and its allocated bytes. */
  kept: z.array(z.object({ budget: z.number().int(), cacheBytes: z.number(), decodeMs: z.array(milliseconds.positive()).min(1) })),
  /** Policies that this model, length or machine does not allow, with the reason. */
  refused: z.array(z.object({ policy: z.string(), reason: z.string() })),
});
export type EngineTimes = z.infer<typeof engineTimes>;

/** A turn of another program. node-llama-cpp chooses a token after reading and after each that it decodes, as the app does; llama-bench chooses none. */
export const otherTimes = z.object(fullTimes);
export type OtherTimes = z.infer<typeof otherTimes>;

const turnHead = {
  length: z.number().int(),
  round: z.number().int(),
  promptTokens: z.number().int(),
  /** Of the machine when the turn began: runnable processes, the mean of a minute, the turn before included. */
  load: z.number(),
  /** Cores that other programs took during the turn, on average; null where the system does not tell. */
  others: z.number().nullable(),
  seconds: z.number(),
};
/** An outcome in a journal. A turn that could not be had says why; it is not tried again. */
export const outcomeSchema = z.union([
  z.object({ ...turnHead, program: z.literal("longsight"), kvType: z.literal("f16"), times: engineTimes }),
  z.object({ ...turnHead, program: z.enum(["stock", "llama-bench"]), kvType: z.enum(kvTypes), times: otherTimes }),
  z.object({ ...turnHead, program: z.enum(["longsight", "stock", "llama-bench"]), kvType: z.enum(kvTypes), failed: z.string() }),
]);
/** What came of one turn. */
export type TurnOutcome = z.infer<typeof outcomeSchema>;

export const isOfTurn = (outcome: TurnOutcome, { length, round, runner }: Turn): boolean =>
  outcome.length === length && outcome.round === round && outcome.program === runner.program && outcome.kvType === runner.kvType;
