import type { StoreApi } from "zustand/vanilla";
import type { Stores } from "../app/context.ts";
import { translate } from "../text/i18n.ts";
import type { CallShell } from "./bridge.ts";

/** Milliseconds of reading from which its end is worth telling to who has gone on to something else. */
export const longRead = 30_000;

type LongReadOptions = {
  readonly stores: Pick<Stores, "answer" | "documents">;
  readonly shell: CallShell;
  /** Milliseconds of any clock that only goes forward. */
  readonly now?: () => number;
};

/**
 * Has main tell when a read of more than half a minute has ended: a file that was opened, the text in pictures (as far as it could be
 * recognised), or the documents of a question. Whether the window is in the background, main knows.
 * @returns a function that ends it
 */
export function watchLongReads({ stores, shell, now = () => performance.now() }: LongReadOptions): () => void {
  const since = new Map<string, number>();

  function ended(key: string, title: string, body: string): void {
    const started = since.get(key);
    since.delete(key);
    if (started === undefined || now() - started < longRead) return;
    // A system without notifications is no fault of what was read.
    shell("notify", { title: title.slice(0, 200), body }).catch(() => undefined);
  }
  const began = (key: string): void => void (since.has(key) ? null : since.set(key, now()));

  const ends = [
    watch(stores.documents, (state, before) => {
      for (const { key, status } of state.openings) if (status === "reading") began(`file ${key}`);
      for (const { key, path, name, status } of before.openings) {
        if (state.openings.some((opening) => opening.key === key)) continue;
        if (status === "reading" && Object.values(state.open).some((summary) => summary.path === path)) {
          ended(`file ${key}`, translate("notifications.opened", { name }), translate("notifications.openedBody"));
        }
        since.delete(`file ${key}`);
      }
      for (const id of Object.keys(state.recognising)) began(`pictures ${id}`);
      for (const id of Object.keys(before.recognising)) {
        if (state.recognising[id] !== undefined) continue;
        const name = state.open[id]?.name ?? "";
        ended(`pictures ${id}`, translate("notifications.recognised", { name }), translate("notifications.recognisedBody"));
      }
    }),
    watch(stores.answer, (state, before) => {
      for (const [id, { progress, text }] of Object.entries(state.live)) {
        if (text !== "") ended(`prompt ${id}`, translate("notifications.prompt"), translate("notifications.promptBody"));
        else if (progress?.stage === "prefill" || progress?.stage === "restore") began(`prompt ${id}`);
      }
      for (const id of Object.keys(before.live)) if (state.live[id] === undefined) since.delete(`prompt ${id}`);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function watch<State>(store: StoreApi<State>, changed: (state: State, before: State) => void): () => void {
  return store.subscribe(changed);
}
