import type { z } from "zod";
import type { engineContract } from "../../contract/engine.ts";
import { LongsightError } from "../../contract/errors.ts";
import type { Heatmap } from "../../contract/heatmap.ts";
import { say } from "../../contract/said.ts";
import type { CallOptions } from "../callOptions.ts";
import type { OpenDocuments } from "../documents/openDocuments.ts";
import { planKept } from "../lookahead/plan.ts";
import type { ModelFinder } from "../models.ts";
import type { Loaded } from "../session.ts";
import { assemblePrompt, measure, refuseTooLong } from "./assemble.ts";
import { findDraftModel } from "./draftModel.ts";
import { plannedPrompt } from "./pins.ts";
import { describeScored, scoreSeen } from "./scoredPrompt.ts";
import { snapshotsFor } from "./snapshotsFor.ts";

type HeatmapRequest = z.output<(typeof engineContract)["heatmap"]["request"]>;

/**
 * Reads a prompt and scores it, and tells what a budget would keep; the full cache stays as it is. A budget no smaller than the prompt
 * keeps all of it and is scored all the same, so that there is something to see.
 * @throws LongsightError as `ask` does
 */
export async function drawHeatmap(
  loaded: Loaded,
  { documents, shelf }: { readonly documents: OpenDocuments; readonly shelf: ModelFinder },
  request: HeatmapRequest,
  call: CallOptions,
): Promise<Heatmap> {
  const draftModel = await findDraftModel(shelf, request, loaded.model.header);
  const wanted = { documents: documents.forPrompt(request.documents), turns: [], question: request.question };
  const prompt = await assemblePrompt(loaded, wanted, { isCancelled: () => call.signal.aborted });
  if (call.signal.aborted) throw new LongsightError("cancelled", say("heatmapStopped"));
  // What is too long is said before what a budget has no room for.
  refuseTooLong(measure(prompt, loaded.description.contextLength, 1), true, wanted.documents);
  const place = plannedPrompt(prompt, wanted.documents, { ...request, mode: "question" });
  const budget = Math.min(request.budget, prompt.tokens.length);
  const plan = planKept({ policy: request.policy, budget }, place, loaded.lookahead, request.seed);
  const seen = { wanted, prompt, plan, draftModel, snapshots: snapshotsFor(loaded, documents, prompt, wanted.documents) };
  const scored = await scoreSeen(loaded, seen, call);
  return { ...describeScored(loaded, seen, scored, request.budget), timings: scored.timings };
}
