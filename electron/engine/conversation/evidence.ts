import { setImmediate } from "node:timers/promises";
import { type Evidence, mostEvidence, mostEvidenceCharacters } from "../../contract/evidence.ts";
import { passageOf } from "../../contract/passages.ts";
import { type PageSentences, topPassages } from "../../contract/topPassages.ts";
import { unitsOf } from "../../contract/units.ts";
import type { EvictionPlan } from "../lookahead/plan.ts";
import type { AssembledPrompt } from "./assemble.ts";
import type { PromptRequest } from "./prompt.ts";
import { placesOf } from "./scoredPrompt.ts";

/** Milliseconds of work between two chances for the engine to hear of something else. */
const slice = 10;

/**
 * The sentences of the documents that mattered most by the scores that an answer's tokens were chosen by, the first one most. That is what
 * the policy foresaw; what the answer says need not come of them.
 * @param scores `[promptTokens]`: mean over layers and heads
 */
export async function evidenceOf(
  prompt: Pick<AssembledPrompt, "tokens" | "pieces">,
  documents: PromptRequest["documents"],
  { protectedTokens }: Pick<EvictionPlan, "protectedTokens">,
  scores: Float32Array,
): Promise<Evidence[]> {
  const { parts, starts } = placesOf(prompt, documents);
  const scored = { protectedTokens, starts, scores, kept: new Uint16Array(scores.length) };
  const pages: PageSentences[] = [];
  let until = performance.now() + slice;
  for (const part of parts) {
    const { documentId, page } = part;
    if (documentId === null || page === null) continue;
    const passage = passageOf(scored, part);
    if (passage !== null) pages.push({ documentId, page, text: passage.text, units: unitsOf(passage, "sentence") });
    if (performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + slice;
  }
  return topPassages(pages, mostEvidence).map(({ score: _score, text, ...place }) => ({ ...place, text: shortened(text) }));
}

function shortened(text: string): string {
  if (text.length <= mostEvidenceCharacters) return text;
  // Half a surrogate pair is no character.
  return `${text.slice(0, mostEvidenceCharacters).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
