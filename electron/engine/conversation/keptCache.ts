import type { ModelContext } from "../llama/context.ts";
import type { GgufHeader } from "../llama/gguf.ts";
import { type HeldTokens, heldAfter, heldUntil, mostHeld } from "../lookahead/held.ts";
import { type Looks, looksOf, withEarlier } from "../lookahead/looks.ts";
import type { EvictionPlan } from "../lookahead/plan.ts";
import { policyOf } from "../lookahead/policies/table.ts";
import { type TokenRange, tokensIn } from "../lookahead/protect.ts";
import { answerProtection, recentRows, reselect } from "../lookahead/reselect.ts";
import { scoreByView } from "../lookahead/score.ts";
import type { KeptTokens, Scores } from "../lookahead/scores.ts";
import { keepHeld } from "../lookahead/select.ts";
import type { Loaded } from "../session.ts";
import { answerCells } from "./windows.ts";

/** What of a plan goes for every eviction of a kept cache. */
export type KeptChoice = Pick<
  EvictionPlan,
  "policy" | "budget" | "poolKernel" | "seed" | "lookahead" | "promptTokens" | "pinned" | "share"
>;

/** What was done to a kept cache, added up. */
export type EvictionCounts = {
  /** How often tokens were evicted, and how often of that while an answer was written. */
  readonly evictions: number;
  readonly answerEvictions: number;
  /** Rows whose attention scored, over all evictions. */
  readonly scoredRows: number;
};

export const noEvictions: EvictionCounts = { evictions: 0, answerEvictions: 0, scoredRows: 0 };

/** A part of an eviction that has ended, for whoever measures. */
export type EvictionStage = "scoringMs" | "evictionMs" | "decodeMs";

/**
 * A cache that holds a part of what was read into it, goes on being read and written into, and evicts again when it is full. It knows which
 * tokens it holds, which it had read, and from where on they can be taken back.
 */
export type KeptCache = {
  /** Changes where the cache grows. */
  readonly context: ModelContext;
  /** Every prompt token that was read, from position 0 on; answers only where tokens were evicted behind them. */
  readonly read: readonly number[];
  /** The place of the last eviction: nothing before it can be taken back. */
  readonly base: number;
  readonly held: HeldTokens;
  readonly counts: EvictionCounts;
  /** Cells that no token has yet, in every layer. */
  room(): number;
  /** Reads tokens behind those that were read; they must find room. @throws as ModelContext.decode; whole or not at all */
  append(tokens: Uint32Array, logits: boolean): Promise<void>;
  /** Takes everything from `position` on back. @returns false where that cannot be; nothing is to be done with the cache then */
  cutTo(position: number): boolean;
  /**
   * Evicts down to `budget` tokens per head, by what `view` looks at behind the tokens that were read. Pinned passages are kept in any case.
   * @param view what is to come, or what stands for it: at least one token; it is removed again
   * @param protectedRanges what else is always kept
   */
  evict(view: Uint32Array, budget: number, protectedRanges: readonly TokenRange[], took: (stage: EvictionStage) => void): Promise<void>;
  /**
   * A context with a cell for an answer's next token: the cache grows as far as it may, then evicts by what the latest tokens look at.
   * @returns null where there is neither room nor anything to evict by
   */
  cellFor(
    token: number,
    text: { readonly questionStart: number; readonly promptTokens: number },
    took: (stage: EvictionStage) => void,
  ): Promise<ModelContext | null>;
  dispose(): Promise<void>;
};

export type KeptCacheStart = {
  readonly context: ModelContext;
  readonly held: HeldTokens;
  /** Tokens that were read, as many as `held` ends at. */
  readonly read: ArrayLike<number>;
  readonly choice: KeptChoice;
  /** Tokens that each layer keeps when it evicts. */
  readonly budgets: Uint32Array;
  /** Cells beyond which it does not grow. */
  readonly mostCells: number;
  readonly counts?: EvictionCounts;
  /**
   * Whether every eviction before the answer looks by the same question, which will be read from what is kept: its rows count then, and so do
   * earlier looks (looks.ts). Not where a restart goes on from what is held alone. Left out, no.
   */
  readonly sameView?: boolean;
  /** How often tokens of it were chosen, before a restart too: each choice has a seed of its own. Left out, as often as was evicted. */
  readonly choicesBefore?: number;
};

/** @param loaded makes a larger context, and tells of windows */
export function createKeptCache(
  loaded: Pick<Loaded, "createKept"> & { readonly model: { readonly header: Pick<GgufHeader, "slidingWindow"> } },
  start: KeptCacheStart,
): KeptCache {
  const { choice, mostCells, sameView = false } = start;
  const read = Array.from(start.read);
  const answer: number[] = [];
  let { context, held } = start;
  let base = held.end;
  let counts = start.counts ?? noEvictions;
  let looks: Looks = [];
  let choices = start.choicesBefore ?? counts.evictions;
  // Counted here, since asking the cache for each token would sort its cells each time.
  let used = mostHeld(held);
  let cells = context.shape().cells;
  /** Where rows of the answer began to be summed up. */
  let scoredFrom: number | null = null;
  const isScored = policyOf(choice.policy).rows !== null;
  const { promptTokens, pinned } = choice;
  const pinnedTokens = tokensIn(pinned, promptTokens).length;

  const position = () => read.length + answer.length;
  const stopScoring = () => {
    if (scoredFrom !== null) context.stopScoring();
    scoredFrom = null;
  };
  const grow = async () => {
    const shape = context.shape();
    const larger = await loaded.createKept(shape.layerTokens, Math.min(answerCells, mostCells - used));
    try {
      await larger.keepFrom(context, keepHeld(shape));
    } catch (error) {
      await larger.dispose();
      throw error;
    }
    await context.dispose();
    context = larger;
    cells = context.shape().cells;
  };
  /** @param rows how many the scores are the mean of */
  const keepBest = async (
    scores: Scores | null,
    rows: number,
    budgets: Uint32Array,
    otherRanges: readonly TokenRange[],
  ): Promise<KeptTokens> => {
    const protectedRanges = [...pinned, ...otherRanges];
    const present = heldUntil(held, position());
    // Another seed each time: with the same one, the same places would win again and again.
    const seed = (choice.seed + choices) >>> 0;
    choices += 1;
    const { policy, poolKernel, share } = choice;
    const kept = reselect(present, scores, { policy, budgets, protectedRanges, poolKernel, rows, seed, share });
    await context.keepFrom(context, kept);
    read.push(...answer.splice(0));
    held = heldAfter(present, kept);
    base = read.length;
    used = mostHeld(held);
    counts = { ...counts, evictions: counts.evictions + 1, scoredRows: counts.scoredRows + rows };
    return kept;
  };

  return {
    get context() {
      return context;
    },
    read,
    get base() {
      return base;
    },
    get held() {
      return held;
    },
    get counts() {
      return counts;
    },
    room: () => cells - used,
    async append(tokens, logits) {
      await context.decode(tokens, position(), logits);
      for (const token of tokens) read.push(token);
      used += tokens.length;
    },
    cutTo(wanted) {
      stopScoring();
      answer.length = 0;
      if (wanted < base || context.truncate(wanted) !== wanted) return false;
      read.length = wanted;
      used = mostHeld(held) + wanted - base;
      return true;
    },
    async evict(view, budget, protectedRanges, took) {
      // By what was read, not by how long the question is that happened to come first.
      const about = { ...choice, promptTokens: position() };
      const options = { hasWindows: loaded.model.header.slidingWindow > 0, viewCounts: sameView };
      const scored = isScored ? await scoreByView(context, about, position(), view, options) : null;
      took("scoringMs");
      const budgets = start.budgets.map((own) => Math.min(own, budget));
      const scores =
        scored !== null && sameView ? withEarlier(scored.scores, heldUntil(held, position()), looks) : (scored?.scores ?? null);
      const kept = await keepBest(scores, scored?.rows ?? 0, budgets, protectedRanges);
      if (scores !== null && sameView) looks = looksOf(scores, kept);
      took("evictionMs");
    },
    async cellFor(token, text, took) {
      if (used === cells) {
        if (cells < mostCells) await grow();
        else if (isScored && (scoredFrom === null || scoredFrom === position())) return null;
        else {
          took("decodeMs");
          const scores = isScored ? context.scores(context.shape().tokens) : null;
          const rows = scoredFrom === null ? 0 : position() - scoredFrom;
          stopScoring();
          took("scoringMs");
          // By these alone. The question's looks are of other rows, and each token's best of many: beside one look they would always win.
          await keepBest(scores, rows, start.budgets, answerProtection({ ...text, end: position() }, choice.budget, pinnedTokens));
          looks = [];
          counts = { ...counts, answerEvictions: counts.answerEvictions + 1 };
          took("evictionMs");
        }
      }
      if (isScored && scoredFrom === null && cells >= mostCells && cells - used <= recentRows) {
        scoredFrom = position();
        context.startScoring("prompt", scoredFrom);
      }
      used += 1;
      answer.push(token);
      return context;
    },
    dispose: () => context.dispose(),
  };
}
