import { LongsightError } from "../../contract/errors.ts";
import type { Heatmap, HeatmapPart } from "../../contract/heatmap.ts";
import { say } from "../../contract/said.ts";
import type { CallOptions } from "../callOptions.ts";
import { tokenSpans } from "../documents/tokens.ts";
import type { GgufHeader } from "../llama/gguf.ts";
import { keptCounts, meanBudget } from "../lookahead/kept.ts";
import { type EvictionPlan, usedPolicy } from "../lookahead/plan.ts";
import { scorePrompt, selectKept } from "../lookahead/score.ts";
import { type KeptTokens, meanScores, type Scores } from "../lookahead/scores.ts";
import { startProgress } from "../progress.ts";
import type { Loaded } from "../session.ts";
import type { PromptSnapshots } from "../snapshots/promptSnapshots.ts";
import { type AssembledPrompt, measure, refuseBeyondCache, refuseTooLong, refuseUnscorable } from "./assemble.ts";
import { startChoosing } from "./choosing.ts";
import { documentSpans, keptOfDocuments } from "./documentSpans.ts";
import { createDraftWriter } from "./draft.ts";
import { refuseDraftTooLarge } from "./draftModel.ts";
import { type PromptRequest, pagePrefix } from "./prompt.ts";
import { createStopper, readPrompt } from "./readPrompt.ts";

/** A prompt that is to be scored for somebody to see. */
export type SeenPrompt = {
  readonly wanted: PromptRequest;
  readonly prompt: AssembledPrompt;
  readonly plan: EvictionPlan;
  readonly draftModel: GgufHeader | null;
  readonly snapshots: PromptSnapshots | null;
};

export type SeenScores = {
  /** Null for a policy without scores. */
  readonly scores: Scores | null;
  readonly kept: KeptTokens;
  readonly timings: Heatmap["timings"];
};

/**
 * Reads a prompt, scores it, and chooses from it; the full cache stays as it is. The scores are remembered for another choice.
 * @throws LongsightError as `ask` does
 */
export async function scoreSeen(
  loaded: Loaded,
  { wanted, prompt, plan, draftModel, snapshots }: SeenPrompt,
  { signal, emit }: CallOptions,
): Promise<SeenScores> {
  const measured = measure(prompt, loaded.description.contextLength, 1);
  refuseTooLong(measured, true, wanted.documents);
  const promptTokens = prompt.tokens.length;
  refuseUnscorable(measured, plan.rowsBehind);
  refuseBeyondCache(promptTokens + plan.rowsBehind, loaded.cache.mostTokens);
  if (draftModel !== null) await refuseDraftTooLarge(draftModel, promptTokens, loaded.description.kvType);
  const choosing = startChoosing(loaded, prompt, plan, { mode: "question", draftModel, snapshots });
  const eviction = choosing.eviction ?? plan;
  const writeDraft = createDraftWriter(loaded, { request: wanted, draftModel, signal, emit });

  const stopper = createStopper(signal);
  try {
    const started = performance.now();
    const { context } = await readPrompt(loaded.cache, prompt.tokens, eviction, { signal, emit, stopper, snapshots });
    await snapshots?.save(context, promptTokens);
    for (const notice of loaded.snapshots?.takeNotices() ?? []) emit({ event: "notice", ...notice });
    const scoring = performance.now();
    const draft = await writeDraft({ context, plan: eviction, first: null, stopper });
    const progress = startProgress("scoring", 1, emit);
    const scores = await scorePrompt(context, eviction, draft);
    const selecting = performance.now();
    const kept = selectKept(plan, context.shape(), scores);
    choosing.onChosen(scores, kept);
    progress.update(1);
    const timings = { prefillMs: scoring - started, scoringMs: selecting - scoring, selectionMs: performance.now() - selecting };
    return { scores, kept, timings };
  } catch (error) {
    throw signal.aborted ? new LongsightError("cancelled", say("heatmapStopped")) : error;
  } finally {
    stopper.end();
  }
}

/**
 * A scored prompt as it goes to those who show it.
 * @param budget as asked
 */
export function describeScored(
  loaded: Pick<Loaded, "description">,
  { wanted, prompt, plan }: Pick<SeenPrompt, "wanted" | "prompt" | "plan">,
  { scores, kept }: Pick<SeenScores, "scores" | "kept">,
  budget: number,
): Omit<Heatmap, "timings"> {
  const promptTokens = prompt.tokens.length;
  return {
    model: loaded.description.report.id,
    policy: usedPolicy(plan),
    budget,
    promptTokens,
    layers: kept.layers,
    heads: kept.heads,
    keptTokens: meanBudget(kept),
    protectedTokens: plan.protectedTokens,
    ...placesOf(prompt, wanted.documents),
    documents: keptOfDocuments(documentSpans(prompt), kept),
    scores: scores === null ? new Float32Array(promptTokens) : meanScores(scores),
    kept: keptCounts(kept),
  };
}

/** Which text each token of a prompt stands for. A first token that no text stands for starts at 0. */
export function placesOf(
  { tokens, pieces }: Pick<AssembledPrompt, "tokens" | "pieces">,
  documents: PromptRequest["documents"],
): { parts: HeatmapPart[]; starts: Uint32Array } {
  const starts = new Uint32Array(tokens.length);
  const numbered = new Map(documents.map((document) => [document.documentId, document.pageCount > 1]));
  const parts = pieces.map(({ part, tokenised, firstToken }): HeatmapPart => {
    const spans = tokenSpans(part.text, tokenised.bytes);
    starts.set(spans.subarray(0, tokenised.tokens.length), firstToken);
    const page = part.kind === "page" ? part : null;
    return {
      kind: part.kind,
      documentId: page?.documentId ?? null,
      page: page?.page ?? null,
      text: part.text,
      prefixLength: page === null ? 0 : pagePrefix(page.page, numbered.get(page.documentId) === true).length,
      firstToken,
      tokens: tokenised.tokens.length,
    };
  });
  return { parts, starts };
}
