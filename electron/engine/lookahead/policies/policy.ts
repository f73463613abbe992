import type { ChoosingPolicy } from "../../../contract/policies.ts";
import type { KeptTokens, Scores, Shape } from "../scores.ts";
import type { Shares } from "../shares.ts";

/** A policy that chooses: those that people can ask for, and `oracle`, which only a bench can know enough for. */
export type PolicyName = ChoosingPolicy | "oracle";

/**
 * What is decoded behind the prompt for its attention alone, and removed again: the rows of a lookahead module; a draft of the answer by
 * the model itself or by a smaller one; or the real answer.
 */
export type RowsBehind = "module" | "own-draft" | "draft-model" | "answer";

/** The rows whose attention is the score: the mean over all of them, and over the heads that share a KV head. */
export type QueryRows = {
  /** How many of the prompt's last rows; they are summed up while they are read, beside flash attention (decision 10). 0: none. */
  readonly ofPrompt: (promptTokens: number) => number;
  /** Given, where their attention is not the score, but what queries distributed as theirs can be expected to pay (expectedAttention.ts). */
  readonly expected?: true;
  /** Whether these are always kept as well: rows that score do not see what comes behind them, so their own scores are poor. */
  readonly keepsThem: boolean;
  readonly behind: RowsBehind | null;
};

/** What a policy chooses by, besides scores. */
export type Choice = {
  /** Tokens kept per layer and KV head: at least as many as are protected. */
  readonly budget: number;
  /** Kept by every layer and head whatever their scores, ascending. */
  readonly protectedTokens: Uint32Array;
  /** How many of the prompt's last rows the scores are the mean of. */
  readonly promptRows: number;
  /** Width of the max-pool over the scores, in tokens; 1 for none. */
  readonly poolKernel: number;
  /** A whole number of 32 bits, for what is left to chance. */
  readonly seed: number;
  /** How the budget is divided between documents; left out, by their scores. */
  readonly share?: Shares;
};

type Common = { readonly name: PolicyName };

/** A policy that goes by attention. */
export type ScoredPolicy = Common & {
  readonly rows: QueryRows;
  readonly poolKernel: number;
  /** Pure. A budget of all tokens or more keeps all. @throws RangeError for arguments that are not as said */
  readonly select: (scores: Scores, choice: Choice) => KeptTokens;
};

/** A policy that goes by places or by chance. */
export type UnscoredPolicy = Common & {
  readonly rows: null;
  /** As of a scored policy. */
  readonly select: (shape: Shape, choice: Choice) => KeptTokens;
};

/**
 * One policy: which rows score, and how scores become budgets and kept tokens. Its file says where it comes from and with which
 * parameters; it is added to the app by a line in table.ts, a name in the contract, and words for people.
 */
export type EvictionPolicy = ScoredPolicy | UnscoredPolicy;

/** SnapKV's observation window and pooling, as the LookaheadKV paper runs all of its baselines (arXiv 2603.10899, appendix F). */
export const windowRows = 32;
export const windowPoolKernel = 7;

/** The longest draft of an answer, in tokens: the same paper's, for LAQ and SpecKV alike. */
export const draftTokens = 32;

/** The prompt's last rows, as far as there are so many. */
export const lastRows =
  (rows: number) =>
  (promptTokens: number): number =>
    Math.min(rows, promptTokens);
