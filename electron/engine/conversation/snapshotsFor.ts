import type { OpenDocuments } from "../documents/openDocuments.ts";
import type { Loaded } from "../session.ts";
import type { PlacedDocument, PromptSnapshots } from "../snapshots/promptSnapshots.ts";
import type { AssembledPrompt } from "./assemble.ts";
import type { PromptDocument } from "./prompt.ts";

/** Whether what is read of these documents may be written down: there are some, and none of them needs a password. */
export function mayBeStored(opened: Pick<OpenDocuments, "get">, documents: readonly Pick<PromptDocument, "documentId">[]): boolean {
  return documents.length > 0 && !documents.some(({ documentId }) => opened.get(documentId).document.locked);
}

/** What is on disk for a prompt; null where there is no store, or nothing of it may be stored. */
export function snapshotsFor(
  loaded: Pick<Loaded, "snapshots">,
  opened: Pick<OpenDocuments, "get">,
  prompt: Pick<AssembledPrompt, "tokens" | "pieces">,
  documents: readonly PromptDocument[],
): PromptSnapshots | null {
  if (loaded.snapshots === null || !mayBeStored(opened, documents)) return null;
  const placed = documents.flatMap(({ documentId, name }): PlacedDocument[] => {
    const first = prompt.pieces.find(({ part }) => part.kind === "page" && part.documentId === documentId);
    return first === undefined ? [] : [{ id: documentId, name, firstToken: first.firstToken }];
  });
  return loaded.snapshots.forPrompt(prompt.tokens, placed);
}
