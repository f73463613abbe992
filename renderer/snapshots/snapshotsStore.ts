import { createStore, type StoreApi } from "zustand/vanilla";
import type { SnapshotUsage } from "../../electron/contract/snapshots.ts";

/** Null while it is not known, or where nothing is stored in this run. */
export type SnapshotsState = { readonly usage: SnapshotUsage | null };
export type SnapshotsStore = StoreApi<SnapshotsState>;

export function createSnapshotsStore(): SnapshotsStore {
  return createStore<SnapshotsState>(() => ({ usage: null }));
}

/** Bytes that clearing a document's stored caches would free; 0 where there are none. */
export function storedBytes({ usage }: SnapshotsState, documentId: string): number {
  return usage?.documents.find((document) => document.documentId === documentId)?.bytes ?? 0;
}
