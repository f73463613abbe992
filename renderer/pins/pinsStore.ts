import { createStore, type StoreApi } from "zustand/vanilla";
import type { ListedPin, Pin } from "../../electron/contract/pin.ts";

export type PinsState = {
  /** Those of the current conversation with their words. */
  readonly listed: readonly ListedPin[];
  /** What is selected on the pages: a passage for each page that it is on. */
  readonly selected: readonly Pin[];
  /** Where the selection ends in the window, in CSS pixels; null where nothing is selected, and while the pages move. */
  readonly selectedAt: { readonly left: number; readonly top: number } | null;
  /** What was done last, for those who do not see it. */
  readonly said: string;
};
export type PinsStore = StoreApi<PinsState>;

export function createPinsStore(): PinsStore {
  return createStore<PinsState>(() => ({ listed: [], selected: [], selectedAt: null, said: "" }));
}
