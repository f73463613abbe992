import { createDraftWriter } from "../../electron/engine/conversation/draft.ts";
import { likeliest, writeGreedily } from "../../electron/engine/conversation/greedy.ts";
import type { PromptRequest } from "../../electron/engine/conversation/prompt.ts";
import { createStopper } from "../../electron/engine/conversation/readPrompt.ts";
import type { ModelContext } from "../../electron/engine/llama/context.ts";
import type { GgufHeader } from "../../electron/engine/llama/gguf.ts";
import { meanBudget } from "../../electron/engine/lookahead/kept.ts";
import { type EvictionPlan, planKept } from "../../electron/engine/lookahead/plan.ts";
import type { PolicyName } from "../../electron/engine/lookahead/policies/policy.ts";
import { scorePrompt, selectKept } from "../../electron/engine/lookahead/score.ts";
import type { KeptTokens, Scores } from "../../electron/engine/lookahead/scores.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import type { NamedModule } from "../quality/model.ts";
import { readWhole } from "../quality/readWhole.ts";
import type { Prompt } from "../quality/rules.ts";
import { timed } from "../quality/timed.ts";
import type { PolicyOutcome, PolicyRow } from "./outcome.ts";
import { foundOf } from "./recall.ts";

/** A row of the table. `module` is that of the policy lookahead. */
export type Contender = { readonly name: string; readonly policy: PolicyName; readonly module: NamedModule | null };

/** What is asked, laid out for the model that answers. */
export type Asked = { readonly request: PromptRequest; readonly prompt: Prompt };

type Settings = {
  readonly contenders: readonly Contender[];
  readonly budgets: readonly number[];
  readonly maxTokens: number;
  readonly draftModel: GgufHeader | null;
  readonly seed: number;
};

/** The real answer: its tokens, what they looked at, and what is kept by that for each budget. */
type Answered = { readonly tokens: Uint32Array; readonly truth: Scores; readonly oracle: readonly KeptTokens[] };

/**
 * Reads a prompt, has the full cache answer it, and holds what each policy would keep against what that answer looked at.
 * @throws LongsightError as the app's answers do, `usage` for a budget below the protected tokens before anything is read
 */
export async function measurePolicies(loaded: Loaded, asked: Asked, settings: Settings): Promise<Omit<PolicyOutcome, "index" | "seconds">> {
  const { prompt } = asked;
  const end = prompt.tokens.length;
  const plansOf = ({ policy, module }: Contender) =>
    settings.budgets.map((budget) =>
      planKept({ policy, budget: Math.min(budget, end) }, { ...prompt, promptTokens: end }, module, settings.seed),
    );
  const planned = settings.contenders.map((contender) => ({ contender, plans: plansOf(contender) }));

  await loaded.cache.free();
  const read = await timed(() => readWhole(loaded, prompt.tokens, null));
  const first = await likeliest(loaded.model, read.result);
  const written = await writeGreedily(loaded, read.result, { first, position: end, maxTokens: settings.maxTokens });
  read.result.truncate(end);
  // An answer that is empty says where it ends: that is a row too.
  const tokens = written.tokens.length > 0 ? Uint32Array.from(written.tokens) : Uint32Array.of(first);
  const answered = await answeredBy(read.result, plansOf({ name: "oracle", policy: "oracle", module: null }), tokens);

  const rows: PolicyRow[] = [];
  for (const { contender, plans } of planned) rows.push(await measureOne(loaded, asked, answered, settings, contender, plans));
  return { promptTokens: end, answerTokens: written.tokens.length, answer: written.text, prefillMs: read.milliseconds, rows };
}

/** @param plans of the policy `oracle` */
async function answeredBy(context: ModelContext, plans: readonly EvictionPlan[], tokens: Uint32Array): Promise<Answered> {
  const [any] = plans;
  const truth = any === undefined ? null : await scorePrompt(context, any, tokens);
  if (truth === null) throw new RangeError("There are no budgets, or no answer.");
  return { tokens, truth, oracle: plans.map((plan) => selectKept(plan, truth, truth)) };
}

async function measureOne(
  loaded: Loaded,
  { request, prompt }: Asked,
  answered: Answered,
  { draftModel, budgets }: Settings,
  { name }: Contender,
  plans: readonly EvictionPlan[],
): Promise<PolicyRow> {
  const [any] = plans;
  if (any === undefined) throw new RangeError("There are no budgets.");
  const { context, readingMs } = await readFor(loaded, prompt, any);
  const { signal } = new AbortController();
  const stopper = createStopper(signal);
  const writeDraft = createDraftWriter(loaded, { request, draftModel, signal, emit: () => undefined });
  const first = answered.tokens[0] ?? null;

  // A draft from a kept cache is another for each budget. Times are those of the first one.
  let draftMs: number | null = null;
  let scoringMs: number | null = null;
  let scores: Scores | null = null;
  const measured: PolicyRow["budgets"] = [];
  for (const [index, plan] of plans.entries()) {
    if (index === 0 || plan.behind === "own-draft") {
      if (index > 0) await readFor(loaded, prompt, plan);
      const drafted = await timed(() => writeDraft({ context, plan, first, stopper }));
      const rows = plan.behind === "answer" ? answered.tokens : drafted.result;
      const scored = await timed(() => scorePrompt(context, plan, rows));
      scores = scored.result;
      draftMs ??= plan.behind === "own-draft" || plan.behind === "draft-model" ? drafted.milliseconds : 0;
      scoringMs ??= scored.milliseconds;
    }
    const selected = await timed(() => selectKept(plan, context.shape(), scores));
    const kept = selected.result;
    const oracle = answered.oracle[index] ?? kept;
    measured.push({
      budget: budgets[index] ?? 0,
      keptTokens: meanBudget(kept),
      ...foundOf(answered.truth, oracle, kept),
      selectionMs: selected.milliseconds,
      keptBytes: await keptBytesOf(loaded, context, kept),
    });
  }
  stopper.end();
  return { policy: name, readingMs, draftMs: draftMs ?? 0, scoringMs: scoringMs ?? 0, budgets: measured };
}

/** The prompt in the cache, with its own rows scored where a plan wants them; they are read twice, to know what the scoring cost. */
export async function readFor(loaded: Loaded, prompt: Prompt, plan: EvictionPlan): Promise<{ context: ModelContext; readingMs: number }> {
  const { prefilled } = loaded.cache;
  const forget = () => {
    prefilled.length = Math.min(prefilled.length, prompt.tokens.length - plan.promptRows);
  };
  if (plan.promptRows === 0) return { context: await readWhole(loaded, prompt.tokens, null), readingMs: 0 };
  forget();
  const plain = await timed(() => readWhole(loaded, prompt.tokens, null));
  forget();
  const scored = await timed(() => readWhole(loaded, prompt.tokens, plan));
  return { context: scored.result, readingMs: scored.milliseconds - plain.milliseconds };
}

async function keptBytesOf(loaded: Loaded, context: ModelContext, kept: KeptTokens): Promise<number> {
  const small = await loaded.createKept(kept.budgets, 0);
  try {
    await small.keepFrom(context, kept);
    return small.buffers().cache;
  } finally {
    await small.dispose();
  }
}
