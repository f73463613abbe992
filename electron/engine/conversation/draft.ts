import type { StreamEvent } from "../../contract/engine.ts";
import type { ModelContext } from "../llama/context.ts";
import type { GgufHeader } from "../llama/gguf.ts";
import type { EvictionPlan } from "../lookahead/plan.ts";
import { draftTokens } from "../lookahead/policies/policy.ts";
import { selectKept } from "../lookahead/score.ts";
import { startProgress } from "../progress.ts";
import type { Loaded } from "../session.ts";
import { writeModelDraft } from "./draftModel.ts";
import { likeliest, writeGreedily } from "./greedy.ts";
import type { PromptRequest } from "./prompt.ts";
import type { Stopper } from "./readPrompt.ts";

/** Where a draft is wanted: a prompt that was read into a context, whose last logits are still there where `first` is null. */
export type DraftSite = {
  readonly context: ModelContext;
  readonly plan: EvictionPlan;
  /** The answer's first token, where it was sampled already. */
  readonly first: number | null;
  /** Watches the context again afterwards. */
  readonly stopper: Stopper;
};

/**
 * Writes a draft of the answer for a plan that scores by one: at most `draftTokens` of the answering model's tokens, none where the answer
 * would be empty. All that it took is freed again; the context is as it was, but for its logits.
 * @returns null for a plan that needs no draft, or has its scores
 * @throws LongsightError `cancelled`, `model-memory`, `model-invalid`, `model-unsupported`, `engine-failed`
 */
export type DraftWriter = (site: DraftSite) => Promise<Uint32Array | null>;

/**
 * @param about.request what the prompt was laid out from, for a model with another template
 * @param about.draftModel null where the policy needs none
 */
export function createDraftWriter(
  loaded: Pick<Loaded, "model" | "stops" | "createKept" | "description">,
  about: {
    readonly request: PromptRequest;
    readonly draftModel: GgufHeader | null;
    readonly signal: AbortSignal;
    readonly emit: (event: StreamEvent) => void;
  },
): DraftWriter {
  const { request, draftModel, signal, emit } = about;
  return async (site) => {
    if (site.plan.stored !== undefined) return null;
    try {
      if (site.plan.behind === "own-draft") return await writeOwnDraft(loaded, site, emit);
      if (site.plan.behind !== "draft-model") return null;
      if (draftModel === null) throw new TypeError("a draft model is to be found before it is to write");
      const { kvType, threads } = loaded.description;
      const text = await writeModelDraft(draftModel, request, { kvType, threads, signal, emit, stopper: site.stopper });
      return (await loaded.model.tokenise(text, false)).tokens.slice(0, draftTokens);
    } finally {
      site.stopper.watch(site.context);
    }
  };
}

/** From the cache that `snapkv` would keep at the same budget. */
async function writeOwnDraft(
  { model, stops, createKept }: Pick<Loaded, "model" | "stops" | "createKept">,
  { context, plan, first, stopper }: DraftSite,
  emit: (event: StreamEvent) => void,
): Promise<Uint32Array> {
  const progress = startProgress("draft", draftTokens, emit);
  // Before anything else is decoded: that is what takes the logits.
  const start = { first: first ?? (await likeliest(model, context)), position: plan.promptTokens };
  const kept = selectKept({ ...plan, policy: "snapkv" }, context.shape(), context.scores(plan.promptTokens));
  const small = await createKept(kept.budgets, draftTokens);
  try {
    stopper.watch(small);
    await small.keepFrom(context, kept);
    const written = await writeGreedily({ model, stops }, small, { ...start, maxTokens: draftTokens, onToken: progress.update });
    progress.update(draftTokens);
    return Uint32Array.from(written.tokens);
  } finally {
    await small.dispose();
  }
}
