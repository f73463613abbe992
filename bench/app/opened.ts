import { medianOf } from "../quality/averages.ts";

/** A document that was dropped on the window: milliseconds until its text was read and its tokens counted, and until its first page was drawn. */
export type Opened = {
  readonly name: string;
  readonly pages: number;
  readonly bytes: number;
  readonly textMs: number;
  readonly drawnMs: number;
};

/** One start of the app. `first`: what was opened before all others, when nothing was warm. */
export type OpenRun = {
  readonly load: number;
  readonly first: Opened;
  readonly opened: readonly Opened[];
  /** Names of documents that could not be opened. */
  readonly refused: readonly string[];
};

export type OpenSummary = {
  readonly first: Opened;
  /** Medians over the rounds, by pages. */
  readonly documents: readonly Opened[];
  /** Over the documents. */
  readonly medianMs: number;
  readonly longestMs: number;
};

/** @throws RangeError for no runs */
export function summariseOpened(runs: readonly OpenRun[]): OpenSummary {
  const [first] = middle(runs.map((run) => run.first));
  if (first === undefined) throw new RangeError("Nothing was opened.");
  const documents = middle(runs.flatMap(({ opened }) => opened));
  const times = documents.map(({ drawnMs }) => drawnMs);
  return { first, documents, medianMs: medianOf(times), longestMs: Math.max(0, ...times) };
}

function middle(opened: readonly Opened[]): Opened[] {
  const names = [...new Set(opened.map(({ name }) => name))];
  return names
    .flatMap((name): Opened[] => {
      const own = opened.filter((one) => one.name === name);
      const [about] = own;
      if (about === undefined) return [];
      return [{ ...about, textMs: medianOf(own.map(({ textMs }) => textMs)), drawnMs: medianOf(own.map(({ drawnMs }) => drawnMs)) }];
    })
    .sort((one, other) => one.pages - other.pages);
}
