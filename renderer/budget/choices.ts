import type { CacheMode } from "../../electron/contract/conversation.ts";
import type { LoadedModel, ModelReport } from "../../electron/contract/model.ts";
import { type ChoosingPolicy, policyFacts, type Share } from "../../electron/contract/policies.ts";
import type { Settings } from "../../electron/contract/shell.ts";

/** What a choice depends on besides itself: the model that answers, those it could draft with, and how many documents there are. */
export type Circumstances = {
  readonly model: LoadedModel | null;
  readonly reports: readonly ModelReport[];
  readonly documents: number;
};

/** What is chosen of how a budget is kept; none of it has a say where everything is kept. */
export type Choice = Pick<Settings, "policy" | "draftModel" | "mode" | "share">;

/** Models that may draft for a policy that needs one: smaller than the one that answers, as the engine wants it. The smallest first. */
export function draftModels({ model, reports }: Pick<Circumstances, "model" | "reports">): readonly ModelReport[] {
  if (model === null) return [];
  const { path, fileBytes } = model.report;
  return reports
    .filter((report) => report.path !== path && report.fileBytes < fileBytes)
    .sort((one, other) => one.fileBytes - other.fileBytes);
}

/**
 * A choice as it is used now. Whatever was remembered, it never contradicts itself: what cannot be had here gives way to what comes next to
 * it, and comes back when it can be had again. The menus show what is used.
 */
export function usedChoice({ policy, draftModel, mode, share }: Choice, circumstances: Circumstances): Choice {
  const { model, documents } = circumstances;
  const drafts = draftModels(circumstances);
  const draft = drafts.find((report) => report.path === draftModel) ?? null;
  const usedPolicy =
    policy === "lookahead" && model !== null && model.lookahead === null
      ? "snapkv"
      : policyFacts[policy].needsDraftModel && model !== null && draft === null
        ? "laq"
        : policy;
  const usedMode = policyFacts[usedPolicy].inWindows ? mode : "question";
  return {
    policy: usedPolicy,
    draftModel: policyFacts[usedPolicy].needsDraftModel ? (draft?.path ?? draftModel) : null,
    mode: usedMode,
    share: usedMode === "question" && documents > 1 ? share : "score",
  };
}

/** Why a policy is not to be had here, by its text; null where it is. */
export function policyObstacle(
  policy: ChoosingPolicy,
  mode: CacheMode,
  circumstances: Circumstances,
): "policies.noModule" | "policies.noDraftModel" | "policies.notInMode" | null {
  if (policy === "lookahead" && circumstances.model?.lookahead === null) return "policies.noModule";
  if (policyFacts[policy].needsDraftModel && draftModels(circumstances).length === 0) return "policies.noDraftModel";
  return mode !== "question" && !policyFacts[policy].inWindows ? "policies.notInMode" : null;
}

/** Why a mode is not to be had with a policy, by its text; null where it is. */
export function modeObstacle(mode: CacheMode, policy: ChoosingPolicy): "modes.notWithPolicy" | null {
  return mode !== "question" && !policyFacts[policy].inWindows ? "modes.notWithPolicy" : null;
}

/** Why a share is not to be had in a mode, by its text; null where it is. */
export function shareObstacle(share: Share, mode: CacheMode): "shares.notInMode" | null {
  return mode !== "question" && share !== "score" ? "shares.notInMode" : null;
}
