import { createHash } from "node:crypto";
import type { AnswerFigures, Budget, CacheMode } from "../../contract/conversation.ts";
import { LongsightError } from "../../contract/errors.ts";
import { type Policy, policyFacts, type Share } from "../../contract/policies.ts";
import { say } from "../../contract/said.ts";
import type { OpenDocuments } from "../documents/openDocuments.ts";
import type { EvictionPlan } from "../lookahead/plan.ts";
import type { Loaded } from "../session.ts";
import type { KeptAbout } from "../snapshots/keys.ts";
import type { ReadingMode } from "./answer.ts";
import { type AssembledPrompt, assemblePrompt } from "./assemble.ts";
import type { PromptRequest } from "./prompt.ts";
import { mayBeStored } from "./snapshotsFor.ts";
import { viewTokens } from "./windows.ts";

/** A question that could be asked of any document: what mode `once` scores a document by. A change of it is a change of what is stored. */
const neutralQuestion = "What are the most important facts, names and numbers in this document?";

/**
 * @throws LongsightError `usage` where a mode keeps a part and all is to be kept, or cannot score as the policy does, or divide a budget
 * as the share does
 */
export function refuseModeContradiction(request: {
  readonly mode: CacheMode;
  readonly budget: Budget;
  readonly policy: Policy;
  readonly share: Share;
}): void {
  const { mode, budget, policy, share } = request;
  if (mode === "question") return;
  if (budget === "full") {
    throw new LongsightError("usage", say("modeNeedsBudget", { mode: say(`mode-${mode}`) }));
  }
  if (share !== "score") {
    throw new LongsightError("usage", say("shareNotInMode", { share: say(`share-${share}`), mode: say(`mode-${mode}`) }));
  }
  if (policyFacts[policy].inWindows) return;
  throw new LongsightError("usage", say("policyNotInMode", { policy: say(`policy-${policy}`), mode: say(`mode-${mode}`) }));
}

/**
 * What an answer's mode needs to know of a prompt.
 * @param eviction null where nothing will be evicted: then the mode makes no difference
 * @throws LongsightError `does-not-fit` where the context has no room to score the documents
 */
export async function readingModeOf(
  loaded: Loaded,
  mode: CacheMode,
  about: {
    readonly request: PromptRequest;
    readonly prompt: AssembledPrompt;
    readonly eviction: EvictionPlan | null;
    readonly documents: Pick<OpenDocuments, "get">;
  },
): Promise<ReadingMode> {
  const { request, prompt, eviction, documents } = about;
  if (eviction === null || mode !== "once") return { mode: mode === "once" ? "question" : mode };
  const neutral = await assemblePrompt(loaded, { ...request, turns: [], question: neutralQuestion });
  const neutralView = neutral.tokens.subarray(Math.max(neutral.questionStart, neutral.tokens.length - viewTokens));
  const key = keyOf(loaded, eviction);
  return {
    mode,
    documentEnd: prompt.documentEnd,
    neutralView,
    key: JSON.stringify(key),
    stored: storeOf(loaded, documents, request, prompt, key),
  };
}

/** What decides which tokens of a document are kept, besides the document and the model. */
function keyOf({ lookahead, description }: Loaded, { policy, budget, seed, pinned }: EvictionPlan): KeptAbout {
  const module = lookahead?.module ?? null;
  const used = module === null || policy !== "lookahead" ? null : [module.name, module.training.steps, hashOf(module.embeddings)];
  // The number of cells depends on the context's length where that is short.
  const choice = [
    neutralQuestion,
    used,
    policyFacts[policy === "oracle" ? "full" : policy].seeded ? seed : null,
    description.contextLength,
    pinned.map(({ start, end }) => [start, end]).sort(([one = 0], [other = 0]) => one - other),
  ];
  return { policy, budget, choice: JSON.stringify(choice) };
}

function hashOf(numbers: Float32Array): string {
  return createHash("sha256")
    .update(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))
    .digest("hex");
}

/** Kept caches of these documents on disk; null where there is no store, or nothing of them may be stored. */
function storeOf(
  { snapshots }: Pick<Loaded, "snapshots">,
  opened: Pick<OpenDocuments, "get">,
  { documents }: PromptRequest,
  { tokens, documentEnd }: AssembledPrompt,
  key: KeptAbout,
): Extract<ReadingMode, { mode: "once" }>["stored"] {
  if (snapshots === null || !mayBeStored(opened, documents)) return null;
  const read = tokens.slice(0, documentEnd);
  const named = documents.map(({ documentId, name }) => ({ id: documentId, name }));
  return {
    load: (signal) => snapshots.kept.load(key, read, signal),
    // A model's file that is new is still being hashed: until then nothing is written.
    save: (kept) => void snapshots.identified.then(() => snapshots.kept.save(key, read, kept, named)),
  };
}

/** What tells whether an answer went on from what an earlier one kept. */
type Chosen = Pick<AnswerFigures, "mode" | "model" | "policy" | "budget" | "documentTokens" | "scoredFor" | "evictions">;

/**
 * Why documents were chosen from anew although an earlier turn of mode `once` had chosen from them; null where it had not, or it is no news.
 * @param before figures of the turn before this one
 */
export function startedOver(before: Chosen | null, now: Chosen): AnswerFigures["startedOver"] {
  if (before?.mode !== "once" || now.mode !== "once" || before.scoredFor === null) return null;
  // Only documents are evicted without a question in view: what came from memory or from disk was not.
  if (now.evictions === 0 || now.scoredFor !== "document") return null;
  if (before.model !== now.model) return "model";
  if (before.policy !== now.policy || before.budget !== now.budget) return "choice";
  return before.documentTokens === now.documentTokens ? "lost" : "documents";
}
