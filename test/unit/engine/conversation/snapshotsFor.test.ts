import { describe, expect, it, vi } from "vitest";
import { snapshotsFor } from "../../../../electron/engine/conversation/snapshotsFor.ts";
import type { ModelSnapshots } from "../../../../electron/engine/snapshots/snapshots.ts";

const [idA, idB] = ["a".repeat(64), "b".repeat(64)];
const documents = [idA, idB].map((documentId) => ({ documentId, name: `${documentId[0]}.pdf`, pageCount: 1, pages: [] }));
const tokenised = { tokens: new Uint32Array(1), bytes: new Uint32Array(1) };
const piece = (documentId: string, page: number, firstToken: number) => ({
  part: { kind: "page", documentId, page, text: "text" } as const,
  tokenised,
  firstToken,
});
const prompt = { tokens: new Uint32Array(50), pieces: [piece(idA, 1, 7), piece(idA, 2, 20), piece(idB, 1, 30)] };

const openedWith = (locked: string | null) => ({
  get: (id: string) => ({
    document: { id, name: "", path: "", kind: "pdf", bytes: 1, locked: id === locked, notices: [], characters: 1, pages: [] } as const,
    password: undefined,
  }),
});

describe("what is stored of a prompt", () => {
  it("belongs to its documents from their first pages on", () => {
    const forPrompt = vi.fn<ModelSnapshots["forPrompt"]>();
    const kept: ModelSnapshots["kept"] = { save: () => "refused", load: async () => null };
    const snapshots: ModelSnapshots = { forPrompt, kept, takeNotices: () => [], identified: Promise.resolve(), dispose: () => undefined };
    snapshotsFor({ snapshots }, openedWith(null), prompt, documents);
    expect(forPrompt).toHaveBeenCalledWith(prompt.tokens, [
      { id: idA, name: "a.pdf", firstToken: 7 },
      { id: idB, name: "b.pdf", firstToken: 30 },
    ]);
    // What needs a password is written down nowhere.
    forPrompt.mockClear();
    expect(snapshotsFor({ snapshots }, openedWith(idB), prompt, documents)).toBeNull();
    expect(snapshotsFor({ snapshots }, openedWith(null), prompt, [])).toBeNull();
    expect(forPrompt).not.toHaveBeenCalled();
  });

  it("is nothing without a store", () => {
    expect(snapshotsFor({ snapshots: null }, openedWith(null), prompt, documents)).toBeNull();
  });
});
