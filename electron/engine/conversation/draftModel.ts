import type { StreamEvent } from "../../contract/engine.ts";
import { LongsightError } from "../../contract/errors.ts";
import { roundContext } from "../../contract/fit.ts";
import type { KvType } from "../../contract/model.ts";
import { type Policy, policyFacts } from "../../contract/policies.ts";
import { say } from "../../contract/said.ts";
import { createFullCache } from "../fullCache.ts";
import { judgeFit, sayFit } from "../llama/fit.ts";
import type { GgufHeader } from "../llama/gguf.ts";
import { loadModel, type Model } from "../llama/model.ts";
import { draftTokens } from "../lookahead/policies/policy.ts";
import { describeMachine } from "../machine.ts";
import type { ModelFinder } from "../models.ts";
import { startProgress } from "../progress.ts";
import { assemblePrompt } from "./assemble.ts";
import { writeGreedily } from "./greedy.ts";
import type { PromptRequest } from "./prompt.ts";
import { readPrompt, type Stopper } from "./readPrompt.ts";
import { chatOf } from "./template.ts";

/** A policy and the draft model that was named for it. */
type Wanted = { readonly policy: Policy; readonly draftModel: string | null };

/** @throws LongsightError `usage` where a draft model is needed and not named, or named and not needed */
export function refuseDraftContradiction({ policy, draftModel }: Wanted): void {
  const { needsDraftModel } = policyFacts[policy];
  if (needsDraftModel && draftModel === null) {
    throw new LongsightError("usage", say("policyNeedsDraft", { policy: say(`policy-${policy}`) }));
  }
  if (!needsDraftModel && draftModel !== null) {
    throw new LongsightError("usage", say("policyNeedsNoDraft", { policy: say(`policy-${policy}`) }));
  }
}

/**
 * The draft model that was named, by its header.
 * @param target the model that answers
 * @returns null where none is needed
 * @throws LongsightError `usage` for one that could not save anything; `model-missing`, `model-invalid`
 */
export async function findDraftModel(shelf: ModelFinder, wanted: Wanted, target: GgufHeader): Promise<GgufHeader | null> {
  refuseDraftContradiction(wanted);
  if (wanted.draftModel === null) return null;
  const { header } = await shelf.find(wanted.draftModel);
  if (header.path === target.path) {
    throw new LongsightError("usage", say("draftIsTarget", { model: header.name }));
  }
  if (header.fileBytes >= target.fileBytes) {
    throw new LongsightError("usage", say("draftNotSmaller", { model: header.name, target: target.name }));
  }
  return header;
}

/**
 * @param promptTokens in the draft model's tokens, or about as many
 * @param reserved bytes that something else will take before it is loaded
 * @throws LongsightError `model-memory` where weights and cache of a draft model do not fit beside what is loaded
 */
export async function refuseDraftTooLarge(header: GgufHeader, promptTokens: number, kvType: KvType, reserved = 0): Promise<void> {
  const { freeMemoryBytes } = await describeMachine();
  const wanted = [header, contextFor(promptTokens), kvType, freeMemoryBytes - reserved] as const;
  if (judgeFit(...wanted).verdict !== "does-not-fit") return;
  throw new LongsightError("model-memory", say("draftTooLarge", { model: header.name, fit: sayFit(...wanted) }));
}

const stopped = () => new LongsightError("cancelled", say("answerStopped"));

const contextFor = (promptTokens: number) => roundContext(promptTokens + draftTokens);

type WritingOptions = {
  readonly kvType: KvType;
  readonly threads: number;
  readonly signal: AbortSignal;
  readonly emit: (event: StreamEvent) => void;
  readonly stopper: Stopper;
};

/**
 * Loads a draft model, has it answer the same question about the same pages in its own template, and frees it.
 * @returns at most `draftTokens` of its tokens, as text
 * @throws LongsightError `cancelled`, `model-memory`, `model-invalid`, `model-unsupported`, `engine-failed`
 */
export async function writeModelDraft(header: GgufHeader, request: PromptRequest, options: WritingOptions): Promise<string> {
  const loading = startProgress("load", header.fileBytes, options.emit);
  if (options.signal.aborted) throw stopped();
  const model = await loadModel(header, {
    signal: options.signal,
    onProgress: (fraction) => loading.update(Math.floor(fraction * header.fileBytes)),
  });
  try {
    loading.update(header.fileBytes);
    return await writeWith(model, request, options);
  } finally {
    await model.dispose();
  }
}

async function writeWith(model: Model, request: PromptRequest, options: WritingOptions): Promise<string> {
  const { kvType, threads, signal, emit, stopper } = options;
  const { render, stops } = chatOf(model);
  const tokeniser = {
    model,
    render,
    tokenise: (part: { text: string; kind: string }) => model.tokenise(part.text, part.kind === "control"),
  };
  const { tokens } = await assemblePrompt(tokeniser, request, { isCancelled: () => signal.aborted });
  if (signal.aborted) throw stopped();
  await refuseDraftTooLarge(model.header, tokens.length, kvType);

  const contextLength = contextFor(tokens.length);
  const cache = createFullCache(contextLength, () =>
    model.createContext({ contextLength, kvType, threads, slidingWindow: model.header.slidingWindow }),
  );
  const progress = startProgress("draft", tokens.length + draftTokens, emit);
  const onRead = (event: StreamEvent) => event.event === "progress" && progress.update(event.done);
  try {
    const { context } = await readPrompt(cache, tokens, null, { signal, stopper, emit: onRead });
    const written = await writeGreedily({ model, stops }, context, {
      first: null,
      position: tokens.length,
      maxTokens: draftTokens,
      onToken: (count) => progress.update(tokens.length + count),
    });
    progress.update(tokens.length + draftTokens);
    return written.text;
  } finally {
    await cache.free();
  }
}
