import type { z } from "zod";
import type { Turn } from "../../contract/conversation.ts";
import type { engineContract } from "../../contract/engine.ts";
import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";
import type { CallOptions } from "../callOptions.ts";
import type { OpenDocuments } from "../documents/openDocuments.ts";
import type { GgufHeader } from "../llama/gguf.ts";
import type { KeptSizes } from "../lookahead/keptSizes.ts";
import { type EvictionPlan, planKept } from "../lookahead/plan.ts";
import { policyOf } from "../lookahead/policies/table.ts";
import { selectKept } from "../lookahead/score.ts";
import type { KeptTokens, Scores } from "../lookahead/scores.ts";
import type { ModelFinder } from "../models.ts";
import type { Loaded } from "../session.ts";
import type { PromptSnapshots } from "../snapshots/promptSnapshots.ts";
import { type AssembledPrompt, assemblePrompt } from "./assemble.ts";
import { findDraftModel } from "./draftModel.ts";
import type { History } from "./history.ts";
import { plannedPrompt } from "./pins.ts";
import type { PromptRequest } from "./prompt.ts";
import { snapshotsFor } from "./snapshotsFor.ts";

export type ReselectRequest = z.output<(typeof engineContract)["reselect"]["request"]>;

export type ReselectParts = {
  readonly history: History;
  readonly documents: OpenDocuments;
  readonly shelf: ModelFinder;
  /** Lays out what a conversation would ask, in place of a turn. */
  readonly promptOf: (conversationId: string, question: string, replaceTurnId: string | null) => PromptRequest;
};

/** The last prompt of a conversation, as a budget would choose from it. */
export type LastPrompt = {
  readonly turn: Turn;
  readonly wanted: PromptRequest;
  readonly draftModel: GgufHeader | null;
  readonly prompt: AssembledPrompt;
  readonly snapshots: PromptSnapshots | null;
  readonly plan: EvictionPlan;
  /** Null for a policy without scores, and where they are not in memory. */
  readonly scores: Scores | null;
};

/**
 * Lays out the last answer's prompt again, with its stored scores.
 * @throws LongsightError `usage` where there is no answer, `cancelled`, and whatever laying out throws
 */
export async function lastPromptOf(
  loaded: Loaded,
  { history, documents, shelf, promptOf }: ReselectParts,
  request: ReselectRequest,
  { signal }: CallOptions,
): Promise<LastPrompt> {
  const { turns, pins } = history.getConversation(request.conversationId);
  const turn = turns[turns.length - 1];
  if (turn === undefined) throw new LongsightError("usage", say("nothingAsked"));
  if (turn.status === "writing") throw new LongsightError("usage", say("answerUnderWay"));
  const draftModel = await findDraftModel(shelf, request, loaded.model.header);
  const wanted = promptOf(request.conversationId, turn.question, turn.id);
  const prompt = await assemblePrompt(loaded, wanted, { isCancelled: () => signal.aborted });
  if (signal.aborted) throw new LongsightError("cancelled", say("stopped"));
  const budget = Math.min(request.budget, prompt.tokens.length);
  const planned = plannedPrompt(prompt, wanted.documents, { pins, share: request.share, mode: "question" });
  const plan = planKept({ policy: request.policy, budget }, planned, loaded.lookahead, turn.figures?.seed ?? 0);
  const subject = { prompt: prompt.tokens, plan, draftModel: draftModel?.path ?? null };
  const snapshots = snapshotsFor(loaded, documents, prompt, wanted.documents);
  const scores = loaded.scores.find(subject, snapshots?.form === "q8_0");
  return { turn, wanted, draftModel, prompt, snapshots, plan, scores };
}

/**
 * The same where its tokens can be chosen from at once.
 * @throws LongsightError as {@link lastPromptOf}; `scores-missing` where its policy goes by scores that are not in memory
 */
export async function choosablePromptOf(
  loaded: Loaded,
  parts: ReselectParts,
  request: ReselectRequest,
  call: CallOptions,
): Promise<LastPrompt> {
  const last = await lastPromptOf(loaded, parts, request, call);
  if (last.scores === null && policyOf(last.plan.policy).rows !== null) throw scoresMissing(last);
  return last;
}

/** Layers and KV heads to choose for; null where they are not known, since nothing was evicted from the model yet. */
export function layoutOf({ keptSizes }: Pick<Loaded, "keptSizes">, { scores }: LastPrompt): ReturnType<KeptSizes["layout"]> {
  return scores ?? keptSizes.layout();
}

/**
 * What a budget keeps of a prompt that can be chosen from.
 * @throws LongsightError `scores-missing` where it is not known of how many layers and heads
 */
export function keptOfPrompt(loaded: Pick<Loaded, "keptSizes">, last: LastPrompt): KeptTokens {
  const layout = layoutOf(loaded, last);
  if (layout === null) {
    throw new LongsightError("scores-missing", say("layoutUnknown"));
  }
  return selectKept(last.plan, layout, last.scores);
}

function scoresMissing({ plan: { policy }, turn }: LastPrompt): LongsightError {
  const mode = turn.figures?.mode ?? "question";
  // The oracle is a bench's alone.
  const name = policy === "oracle" ? policy : say(`policy-${policy}`);
  const message =
    mode === "question"
      ? say(policy === "laq" ? "scoresOfDraft" : "scoresGone", { policy: name })
      : say("scoresOfOtherMode", { policy: name, mode: say(`mode-${mode}`) });
  return new LongsightError("scores-missing", message);
}
