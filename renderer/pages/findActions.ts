import { type ActionContext, reportProblem } from "../app/context.ts";
import { firstHitFrom } from "./findStore.ts";

export type FindActions = {
  readonly open: () => void;
  readonly close: () => void;
  /** Looks for a text in the document in view, after a pause in the typing. */
  readonly type: (text: string) => void;
  /** Goes to the next place (1) or the one before (-1), round the end. */
  readonly step: (by: 1 | -1) => void;
  /** Looks again where another document came into view. */
  readonly documentChanged: () => void;
};

/** Milliseconds without a change before it is looked for. */
const pause = 200;

export function createFindActions({ engine, stores }: ActionContext): FindActions {
  const store = stores.find;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let controller: AbortController | null = null;

  function goTo(index: number): void {
    const { found } = store.getState();
    const hit = found?.hits[index];
    if (found === null || hit === undefined) return;
    store.setState({ index });
    // On the page in view the mark itself comes into view.
    if (stores.documents.getState().pageInView[found.documentId] === hit.page) return;
    stores.view.setState({ goTo: { documentId: found.documentId, page: hit.page } });
  }

  async function search(text: string): Promise<void> {
    const { shownId: documentId, pageInView } = stores.documents.getState();
    if (documentId === null) return;
    const mine = new AbortController();
    controller = mine;
    try {
      const { hits, more } = await engine("searchDocument", { documentId, text }, { signal: mine.signal });
      if (mine.signal.aborted) return;
      store.setState({ found: { documentId, text, hits, more }, index: 0 });
      goTo(firstHitFrom(hits, pageInView[documentId] ?? 1));
    } catch (error) {
      if (!mine.signal.aborted) reportProblem(stores, error);
    }
  }

  function searchSoon(after: number): void {
    if (timer !== null) clearTimeout(timer);
    controller?.abort();
    const text = store.getState().text.trim();
    if (text === "") store.setState({ found: null, index: 0 });
    else timer = setTimeout(() => void search(text), after);
  }

  return {
    open() {
      if (stores.documents.getState().shownId === null) return;
      store.setState({ open: true });
      searchSoon(0);
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      controller?.abort();
      store.setState({ open: false, found: null, index: 0 });
    },
    type(text) {
      store.setState({ text });
      searchSoon(pause);
    },
    step(by) {
      const { found, index } = store.getState();
      const count = found?.hits.length ?? 0;
      if (count > 0) goTo((index + by + count) % count);
    },
    documentChanged() {
      if (!store.getState().open) return;
      store.setState({ found: null, index: 0 });
      searchSoon(0);
    },
  };
}
