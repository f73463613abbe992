import { createHash } from "node:crypto";
import * as disk from "node:fs/promises";
import type { KvType } from "../../contract/model.ts";
import type { Message } from "../../contract/said.ts";
import { createKeptSnapshots, type KeptSnapshots } from "./keptSnapshots.ts";
import { rootOf } from "./keys.ts";
import { createModelHashes, type FileStamp, type ModelHashes } from "./modelHash.ts";
import { createPromptSnapshots, type PlacedDocument, type PromptSnapshots } from "./promptSnapshots.ts";
import type { Disk } from "./recordFiles.ts";
import { createSnapshotStore, type SnapshotStore } from "./store.ts";

/** What is known of a loaded model and of how it computes. */
export type ModelFacts = {
  readonly path: string;
  /** The file as it was before its weights were loaded; null where that is not known, and then nothing is stored. */
  readonly stamp: FileStamp | null;
  readonly chatTemplate: string | null;
  readonly kvType: KvType;
  readonly hasWindows: boolean;
  /** Positions of a context, where keys or windows depend on it; null where they do not. */
  readonly contextLength: number | null;
  readonly build: string;
  readonly addonVersion: number;
  readonly variant: string;
  readonly gpu: string | null;
};

/** The snapshots of the model that is loaded. Nothing is written or used before its file's hash is known. */
export type ModelSnapshots = {
  forPrompt(prompt: Uint32Array, documents: readonly PlacedDocument[]): PromptSnapshots;
  readonly kept: KeptSnapshots;
  /** What a person should be told, once. */
  takeNotices(): Message[];
  /** Resolves when the file's hash is known, or given up. */
  readonly identified: Promise<void>;
  /** Stops computing the hash. */
  dispose(): void;
};

export type Snapshots = {
  readonly store: SnapshotStore;
  readonly hashes: Pick<ModelHashes, "stamp">;
  forModel(facts: ModelFacts): Promise<ModelSnapshots>;
  /** Waits at most so long until what was read is written. */
  close(limitMs: number): Promise<void>;
};

/** Opens the snapshots in a folder, which need not be there yet. @param fileSystem tests let it fail */
export function openSnapshots(folder: string, fileSystem: Disk = disk): Snapshots {
  const store = createSnapshotStore(folder, fileSystem);
  const hashes = createModelHashes(folder, fileSystem);
  // The first look may take a while on a slow disk: it begins before anyone asks.
  void store.refresh();
  return {
    store,
    hashes,
    async forModel(facts) {
      const { path, stamp, hasWindows } = facts;
      const closing = new AbortController();
      let model = stamp === null ? null : await hashes.remembered(path, stamp);
      const identify = async () => {
        if (stamp !== null && model === null) model = await hashes.compute(path, stamp, closing.signal);
      };
      const identified = identify();
      const template = createHash("sha256")
        .update(facts.chatTemplate ?? "")
        .digest("hex");
      const { kvType, contextLength, build, addonVersion, variant, gpu } = facts;
      // A quantised cache has nothing to gain from another form.
      const formNow = () => (kvType === "f16" ? store.settings().form : "exact");
      const rootIn = (form: ReturnType<typeof formNow>) =>
        model === null ? null : rootOf({ model, template, kvType, form, build, addonVersion, variant, gpu, contextLength });
      return {
        forPrompt(prompt, documents) {
          const form = formNow();
          return createPromptSnapshots(prompt, { store, form, hasWindows, documents, root: () => rootIn(form) });
        },
        kept: createKeptSnapshots(store, () => rootIn("exact")),
        takeNotices: store.takeNotices,
        identified,
        dispose: () => closing.abort(),
      };
    },
    close: (limitMs) => store.close(limitMs),
  };
}
