/** Work that waits for a frame of its own. */
export type Turns = {
  /**
   * Does something in one of the next frames, alone. What can be seen then comes before what cannot, else what waits longest.
   * @returns a function that takes it back
   */
  readonly take: (work: () => void, canBeSeen: () => boolean) => () => void;
};

/** @param nextFrame has something done before the next frame is drawn, once */
export function createTurns(nextFrame: (run: () => void) => void): Turns {
  type Waiting = { readonly work: () => void; readonly canBeSeen: () => boolean };
  const waiting = new Set<Waiting>();
  let asked = false;

  function ask(): void {
    if (asked || waiting.size === 0) return;
    asked = true;
    nextFrame(() => {
      asked = false;
      const all = [...waiting];
      const next = all.find(({ canBeSeen }) => canBeSeen()) ?? all[0];
      if (next === undefined) return;
      waiting.delete(next);
      // First, so that work that fails does not end all other work.
      ask();
      next.work();
    });
  }

  return {
    take(work, canBeSeen) {
      const own: Waiting = { work, canBeSeen };
      waiting.add(own);
      ask();
      return () => void waiting.delete(own);
    },
  };
}
