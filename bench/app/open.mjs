// From dropping a PDF on the window to its first page being drawn.
import { loadavg } from "node:os";
import { withReadyApp } from "../window/app.mjs";
import { openAndClose } from "../window/openDocument.mjs";

/** In the page: notes when the next file is dropped, when its text is read and counted, and when its first page has been shown. */
function watchFirstPage() {
  const seen = { drop: 0, read: 0, drawn: 0 };
  const done = () => {
    if (seen.read !== 0 && seen.drawn !== 0) observer.disconnect();
  };
  let isAsked = false;
  const isDrawn = () => document.querySelector('[data-testid="page-canvas"]:not([data-state="waiting"])') !== null;
  const look = () => {
    if (seen.drop === 0) return;
    // Its pages may be there before it is read; what says that it is being read is there from the drop on.
    const isThere = document.querySelector('[data-testid="page-canvas"]') !== null;
    if (seen.read === 0 && isThere && document.querySelector('[data-testid="document-progress"]') === null) seen.read = performance.now();
    done();
    if (isAsked || !isDrawn()) return;
    isAsked = true;
    // What is behind a frame has been drawn when a task after it runs.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        seen.drawn = performance.now();
        done();
      };
      port2.postMessage(null);
    });
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-state"] });
  const onDrop = (event) => {
    seen.drop = event.timeStamp;
  };
  window.addEventListener("drop", onDrop, { capture: true, once: true });
  globalThis.longsightFirstPage = () => seen;
}

async function openOne(page, { name, path, pages, bytes }) {
  await page.evaluate(watchFirstPage);
  if (!(await openAndClose(page, path))) return null;
  const { drop, read, drawn } = await page.evaluate(() => globalThis.longsightFirstPage());
  if (drop === 0 || read === 0 || drawn === 0) throw new Error(`${name} was opened, but not seen to be read and drawn.`);
  return { name, pages, bytes, textMs: read - drop, drawnMs: drawn - drop };
}

/** A start of the app, in which every document is opened once, another one first in each round. */
function measure(round, window, first, documents) {
  return withReadyApp(window, "app-open", async ({ page }) => {
    const load = loadavg()[0];
    const cold = await openOne(page, first);
    const turn = documents.map((_, index) => documents[(index + round) % documents.length]);
    const opened = [];
    const refused = [];
    for (const document of turn) {
      const times = await openOne(page, document);
      if (times === null) refused.push(document.name);
      else opened.push(times);
      console.error(`  ${document.name}: ${times === null ? "not opened" : `${Math.round(times.drawnMs)} ms`}`);
    }
    return { load, first: cold, opened, refused };
  });
}

/** @param first a small one that is opened before all others, when nothing is warm */
export async function measureOpening(window, { first, kind, documents }, rounds) {
  const runs = [];
  for (let round = 0; round < rounds; round += 1) {
    console.error(`opening, round ${round + 1} of ${rounds}`);
    runs.push(await measure(round, window, first, documents));
  }
  const summary = window.tools.summariseOpened(runs);
  console.log(`${summary.documents.length} ${kind} documents, medians of ${rounds} rounds; milliseconds from the drop`);
  console.table(
    Object.fromEntries(
      [summary.first, ...summary.documents].map(({ name, pages, textMs, drawnMs }) => [
        name,
        { pages, "text read": Math.round(textMs), "first page drawn": Math.round(drawnMs) },
      ]),
    ),
  );
  return { documents: kind, summary, runs };
}
