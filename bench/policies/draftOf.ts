import { resolve } from "node:path";
import { findDraftModel } from "../../electron/engine/conversation/draftModel.ts";
import type { GgufHeader } from "../../electron/engine/llama/gguf.ts";
import { createModelShelf } from "../../electron/engine/models.ts";
import type { Tools } from "../quality/tools.ts";

/**
 * The smaller model of `speckv`.
 * @param draft a GGUF file or the id of an installed model; null for none
 * @param target the model that answers
 * @throws LongsightError where it cannot be used
 */
export async function draftOf(
  draft: string | null,
  { callerFolder, modelsFolder }: Pick<Tools, "callerFolder" | "modelsFolder">,
  target: GgufHeader,
): Promise<GgufHeader | null> {
  if (draft === null) return null;
  const draftModel = draft.toLowerCase().endsWith(".gguf") ? resolve(callerFolder, draft) : draft;
  return findDraftModel(createModelShelf([modelsFolder]), { policy: "speckv", draftModel }, target);
}
