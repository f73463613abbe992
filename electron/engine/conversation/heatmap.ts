import type { z } from "zod";
import type { engineContract } from "../../contract/engine.ts";
import { LongsightError } from "../../contract/errors.ts";
import type { Heatmap, HeatmapPart } from "../../contract/heatmap.ts";
import type { CallOptions } from "../callOptions.ts";
import type { OpenDocuments } from "../documents/openDocuments.ts";
import { tokenSpans } from "../documents/tokens.ts";
import { keptCounts } from "../lookahead/counts.ts";
import { probeRows, scorePrompt, selectKept } from "../lookahead/evict.ts";
import { planKept } from "../lookahead/plan.ts";
import { meanScores } from "../lookahead/scores.ts";
import { startProgress } from "../progress.ts";
import type { Loaded } from "../session.ts";
import { type AssembledPrompt, assemblePrompt, measure, refuseTooLong, refuseUnscorable } from "./assemble.ts";
import { pagePrefix } from "./prompt.ts";
import { createStopper, readPrompt } from "./readPrompt.ts";

type HeatmapRequest = z.output<(typeof engineContract)["heatmap"]["request"]>;

/**
 * Reads a prompt and scores it, and tells what a budget would keep; the full cache stays as it is. A budget no smaller than the prompt
 * keeps all of it and is scored all the same, so that there is something to see.
 * @throws LongsightError as `ask` does
 */
export async function drawHeatmap(
  loaded: Loaded,
  documents: OpenDocuments,
  request: HeatmapRequest,
  { signal, emit }: CallOptions,
): Promise<Heatmap> {
  const wanted = { documents: documents.forPrompt(request.documents), turns: [], question: request.question };
  const prompt = await assemblePrompt(loaded, wanted, { isCancelled: () => signal.aborted });
  const stopped = () => new LongsightError("cancelled", "The heatmap was stopped.");
  if (signal.aborted) throw stopped();
  const measured = measure(prompt, loaded.description.contextLength, 1);
  refuseTooLong(measured);

  const promptTokens = prompt.tokens.length;
  const place = { ...prompt, promptTokens };
  const budget = Math.min(request.budget, promptTokens);
  const plan = planKept({ policy: request.policy, budget }, place, loaded.lookahead, request.seed);
  refuseUnscorable(measured, probeRows(plan));

  const stopper = createStopper(signal);
  const timings = { prefillMs: 0, scoringMs: 0, selectionMs: 0 };
  try {
    const started = performance.now();
    const { context } = await readPrompt(loaded.cache, prompt.tokens, plan, { signal, emit, stopper });
    timings.prefillMs = performance.now() - started;
    const progress = startProgress("scoring", 1, emit);
    const scores = await scorePrompt(context, plan);
    timings.scoringMs = performance.now() - started - timings.prefillMs;
    const shape = { ...context.shape(), tokens: promptTokens };
    const kept = selectKept(plan, shape, scores);
    timings.selectionMs = performance.now() - started - timings.prefillMs - timings.scoringMs;
    progress.update(1);
    return {
      model: loaded.description.report.id,
      policy: plan.policy,
      budget: request.budget,
      promptTokens,
      layers: shape.layers,
      heads: shape.heads,
      keptTokens: kept.budget,
      protectedTokens: plan.protectedTokens,
      ...placesOf(prompt, wanted.documents),
      scores: scores === null ? new Float32Array(promptTokens) : meanScores(scores),
      kept: keptCounts(kept),
      timings,
    };
  } catch (error) {
    throw signal.aborted ? stopped() : error;
  } finally {
    stopper.end();
  }
}

/** Which text each token of a prompt stands for. A first token that no text stands for starts at 0. */
function placesOf(
  { tokens, pieces }: AssembledPrompt,
  documents: ReturnType<OpenDocuments["forPrompt"]>,
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
