import { createDraftWriter } from "../../electron/engine/conversation/draft.ts";
import { createStopper } from "../../electron/engine/conversation/readPrompt.ts";
import { batchTokens, type ModelContext } from "../../electron/engine/llama/context.ts";
import { type EvictionPlan, type PromptPlaces, planKept } from "../../electron/engine/lookahead/plan.ts";
import { scorePrompt } from "../../electron/engine/lookahead/score.ts";
import type { Scores } from "../../electron/engine/lookahead/scores.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import type { NamedModule } from "./model.ts";
import { readWhole } from "./readWhole.ts";

/** A prompt as tokens, and where its question and its tail begin, which every policy keeps. */
export type Prompt = { readonly tokens: Uint32Array } & Omit<PromptPlaces, "promptTokens">;

/** A prompt that stands in the full cache, and what was found out on the way. */
export type ReadPrompt = {
  readonly context: ModelContext;
  readonly prompt: Prompt;
  /** By the attention of the prompt's last rows, which the app takes while it reads. */
  readonly windowScores: Scores;
  /** Tokens of the full cache's own answer, as far as it says what was asked for; at least one. */
  readonly answer: readonly number[];
};

/** One way to choose what is kept. */
export type Rule = {
  readonly name: string;
  /** @throws LongsightError `usage` for a budget below the protected tokens */
  plan(prompt: Prompt, budget: number): EvictionPlan;
  /** Leaves behind rows and switches that have to be cleared. */
  score(read: ReadPrompt, plan: EvictionPlan): Promise<Scores | null>;
};

const planOf = (policy: EvictionPlan["policy"], prompt: Prompt, budget: number, module: NamedModule | null) =>
  planKept({ policy, budget: Math.min(budget, prompt.tokens.length) }, { ...prompt, promptTokens: prompt.tokens.length }, module, 0);

/** The app's own rule with a module. */
export const lookaheadRule = (module: NamedModule): Rule => ({
  name: module.name,
  plan: (prompt, budget) => planOf("lookahead", prompt, budget, module),
  score: ({ context }, plan) => scorePrompt(context, plan, null),
});

/** The app's own rule without one. */
export const snapRule: Rule = {
  name: "snapkv",
  plan: (prompt, budget) => planOf("snapkv", prompt, budget, null),
  score: async ({ windowScores }) => windowScores,
};

/** The same without its pooling: modules that come with the app have none, and are to be told apart from what that alone gives. */
export const unpooledSnapRule: Rule = {
  ...snapRule,
  name: "snapkv-unpooled",
  plan: (prompt, budget) => ({ ...snapRule.plan(prompt, budget), poolKernel: 1 }),
};

/** By the attention of the answer that the full cache gives: what no prediction can know, and the bound for all. */
export const oracleRule: Rule = {
  name: "oracle",
  plan: (prompt, budget) => planOf("oracle", prompt, budget, null),
  score: ({ context, answer }, plan) => scorePrompt(context, plan, scoringRows(answer)),
};

/** The tokens of an answer that score: as many as go into one batch, which are LookaheadKV's 512. */
export const scoringRows = (answer: readonly number[]): Uint32Array => Uint32Array.from(answer.slice(0, batchTokens));

/**
 * Any other rule of the app that needs no module and no draft model: the rows that it scores by are read anew, which changes none of them
 * (docs/decisions/0009), and its draft is written anew.
 */
export const policyRule = (loaded: Loaded, policy: EvictionPlan["policy"]): Rule => ({
  name: policy,
  plan: (prompt, budget) => planOf(policy, prompt, budget, null),
  async score({ context, prompt, answer }, plan) {
    if (plan.promptRows > 0) await readWhole(loaded, prompt.tokens, plan);
    const { signal } = new AbortController();
    const stopper = createStopper(signal);
    // What was asked is for a draft model with another template: here is none.
    const request = { documents: [], turns: [], question: "" };
    const writeDraft = createDraftWriter(loaded, { request, draftModel: null, signal, emit: () => undefined });
    const draft = await writeDraft({ context, plan, first: answer[0] ?? null, stopper });
    stopper.end();
    return scorePrompt(context, plan, draft);
  },
});
