import type { CacheMode } from "../../contract/conversation.ts";
import type { KeptDocument } from "../../contract/kept.ts";
import type { GgufHeader } from "../llama/gguf.ts";
import type { EvictionPlan } from "../lookahead/plan.ts";
import { withStoredScores } from "../lookahead/scoreShelf.ts";
import type { KeptTokens, Scores } from "../lookahead/scores.ts";
import type { Loaded } from "../session.ts";
import type { PromptSnapshots } from "../snapshots/promptSnapshots.ts";
import type { AssembledPrompt } from "./assemble.ts";
import { documentSpans, keptOfDocuments } from "./documentSpans.ts";

/** What one answer's choice goes by, and what came of it. */
export type Choosing = {
  /** The plan, with the scores of an earlier answer to this prompt where they are still there. */
  readonly eviction: EvictionPlan | null;
  /** Remembers fresh scores for another budget. To be called before the full cache is freed. */
  onChosen(scores: Scores | null, chosen: KeptTokens): void;
  /** What was kept of each document; all of it before anything was chosen. */
  keptDocuments(): KeptDocument[];
};

/** @param about.mode scores are of a whole prompt, and so of use to another answer, in mode `question` alone */
export function startChoosing(
  loaded: Pick<Loaded, "scores" | "keptSizes" | "cache">,
  prompt: AssembledPrompt,
  plan: EvictionPlan | null,
  about: { readonly mode: CacheMode; readonly draftModel: GgufHeader | null; readonly snapshots: Pick<PromptSnapshots, "form"> | null },
): Choosing {
  const spans = documentSpans(prompt);
  const draftModel = about.draftModel?.path ?? null;
  const subject = plan === null || about.mode !== "question" ? null : { prompt: prompt.tokens, plan, draftModel };
  const stored = subject === null ? null : loaded.scores.find(subject, about.snapshots?.form === "q8_0");
  let kept: KeptTokens | null = null;
  return {
    eviction: plan === null || stored === null ? plan : withStoredScores(plan, stored),
    onChosen(scores, chosen) {
      kept = chosen;
      loaded.keptSizes.see(chosen);
      if (subject !== null && scores !== null && stored === null) loaded.scores.put(subject, scores, loaded.cache.approximate);
    },
    keptDocuments: () =>
      kept === null
        ? spans.map(({ documentId, start, end }) => ({ documentId, tokens: end - start, keptTokens: end - start }))
        : keptOfDocuments(spans, kept),
  };
}
