/**
 * Turns a model's tokens into text as they come: bytes of a character split over tokens are held back until it is whole, and so is
 * anything that may yet become a stop string.
 */
export type TextStream = {
  /** @returns text that is safe to show, and whether a stop string was met (it is not part of the text) */
  push(bytes: Uint8Array): { text: string; stopped: boolean };
  /** What is still held back when the answer ends. */
  end(): string;
};

export function createTextStream(stopStrings: readonly string[]): TextStream {
  const decoder = new TextDecoder();
  let held = "";
  let stopped = false;
  return {
    push(bytes) {
      if (stopped) return { text: "", stopped };
      held += decoder.decode(bytes, { stream: true });
      const end = firstStop(held, stopStrings);
      if (end >= 0) {
        const text = held.slice(0, end);
        held = "";
        stopped = true;
        return { text, stopped };
      }
      const safe = held.length - heldLength(held, stopStrings);
      const text = held.slice(0, safe);
      held = held.slice(safe);
      return { text, stopped };
    },
    end() {
      const rest = stopped ? "" : held + decoder.decode();
      held = "";
      return rest;
    },
  };
}

function firstStop(text: string, stopStrings: readonly string[]): number {
  const places = stopStrings.map((stop) => text.indexOf(stop)).filter((place) => place >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** Length of the longest end of `text` that begins a stop string. */
function heldLength(text: string, stopStrings: readonly string[]): number {
  let longest = 0;
  for (const stop of stopStrings) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
      if (stop.startsWith(text.slice(-length))) longest = length;
    }
  }
  return longest;
}
