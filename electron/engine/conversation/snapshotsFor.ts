import type { OpenDocuments } from "../documents/openDocuments.ts";
import type { Loaded } from "../session.ts";
import type { PlacedDocument, PromptSnapshots } from "../snapshots/promptSnapshots.ts";
import type { AssembledPrompt } from "./assemble.ts";
import type { PromptDocument } from "./prompt.ts";

/**
 * What is on disk for a prompt. Null where nothing is stored: there is no store, no document, or one that needs a password; what is behind
 * that is written down nowhere.
 */
export function snapshotsFor(
  loaded: Pick<Loaded, "snapshots">,
  opened: Pick<OpenDocuments, "get">,
  prompt: Pick<AssembledPrompt, "tokens" | "pieces">,
  documents: readonly PromptDocument[],
): PromptSnapshots | null {
  if (loaded.snapshots === null || documents.length === 0 || documents.some((document) => opened.get(document.documentId).document.locked))
    return null;
  const placed = documents.flatMap(({ documentId, name }): PlacedDocument[] => {
    const first = prompt.pieces.find(({ part }) => part.kind === "page" && part.documentId === documentId);
    return first === undefined ? [] : [{ id: documentId, name, firstToken: first.firstToken }];
  });
  return loaded.snapshots.forPrompt(prompt.tokens, placed);
}
