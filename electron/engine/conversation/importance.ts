import type { z } from "zod";
import type { engineContract } from "../../contract/engine.ts";
import { LongsightError } from "../../contract/errors.ts";
import type { Importance, LayerHead } from "../../contract/heatmap.ts";
import { say } from "../../contract/said.ts";
import type { CallOptions } from "../callOptions.ts";
import { gridOf, layerHeadOf } from "../lookahead/grid.ts";
import type { KeptTokens, Scores } from "../lookahead/scores.ts";
import type { Loaded } from "../session.ts";
import { choosablePromptOf, keptOfPrompt, type LastPrompt, lastPromptOf, type ReselectParts } from "./lastPrompt.ts";
import { describeScored, scoreSeen } from "./scoredPrompt.ts";

type ImportanceRequest = z.output<(typeof engineContract)["importance"]["request"]>;

/**
 * How the last answer of a conversation saw its prompt, from stored scores alone: nothing is read or scored.
 * @throws LongsightError `scores-missing` where they are not there; `usage` as `ask` does
 */
export async function storedImportance(
  loaded: Loaded,
  parts: ReselectParts,
  request: ImportanceRequest,
  call: CallOptions,
): Promise<Importance> {
  const last = await choosablePromptOf(loaded, parts, request, call);
  return describe(loaded, request, last, { scores: last.scores, kept: keptOfPrompt(loaded, last) });
}

/**
 * The same where scores may be missing: the prompt is scored then, and read as far as it is neither in memory nor on disk. Must run alone.
 * @throws LongsightError as `ask` does
 */
export async function readImportance(
  loaded: Loaded,
  parts: ReselectParts,
  request: ImportanceRequest,
  call: CallOptions,
): Promise<Importance> {
  const last = await lastPromptOf(loaded, parts, request, call);
  const scored = last.scores === null ? await scoreSeen(loaded, last, call) : { scores: last.scores, kept: keptOfPrompt(loaded, last) };
  return describe(loaded, request, last, scored);
}

function describe(
  loaded: Loaded,
  { budget, layerHead }: ImportanceRequest,
  last: LastPrompt,
  scored: { readonly scores: Scores | null; readonly kept: KeptTokens },
): Importance {
  const { scores, kept } = scored;
  refuseUnknown(kept, layerHead);
  const own = layerHead === null || scores === null ? {} : layerHeadOf(scores, kept, layerHead);
  return {
    ...describeScored(loaded, last, scored, budget),
    ...own,
    turnId: last.turn.id,
    layerHead: scores === null ? null : layerHead,
    grid: scores === null ? null : gridOf(scores, kept),
  };
}

function refuseUnknown({ layers, heads }: KeptTokens, layerHead: LayerHead | null): void {
  if (layerHead === null || (layerHead.layer < layers && layerHead.head < heads)) return;
  throw new LongsightError("usage", say("noSuchHead", { layers, heads, head: layerHead.head, layer: layerHead.layer }));
}
