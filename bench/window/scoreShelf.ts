// Stands in for the engine's own shelf (standInEngine.mjs): what is not there is made instead of missing.
import { createScoreShelf as createRealShelf, type ScoreShelf } from "../../electron/engine/lookahead/scoreShelf.ts";
import { madeScores } from "./madeScores.ts";

export { withStoredScores } from "../../electron/engine/lookahead/scoreShelf.ts";

export function createScoreShelf(): ScoreShelf {
  const shelf = createRealShelf();
  return {
    put: shelf.put,
    find(subject, approximate) {
      const known = shelf.find(subject, approximate);
      if (known !== null) return known;
      shelf.put(subject, madeScores(subject.prompt.length), false);
      return shelf.find(subject, approximate);
    },
  };
}
