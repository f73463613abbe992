import { afterEach, expect, test, vi } from "vitest";
import type { DocumentSummary } from "../../../../electron/contract/document.ts";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import { Recognition } from "../../../../renderer/documents/Recognition.tsx";
import { createDesk, type Desk, eventually, type Handler, idOf, summaryOf } from "../fakeEngine.ts";
import { show } from "../show.tsx";

vi.stubGlobal("navigator", { language: "en" });

let desk: Desk;
afterEach(() => desk.session.dispose());

const page = (number: number, flags: DocumentSummary["pages"][number]["flags"]) =>
  ({ page: number, characters: flags.includes("no-text") ? 0 : 50, tokens: 1, flags, width: 595, height: 842 }) as const;
const scan = summaryOf("a", { pages: [page(1, ["no-text"]), page(2, ["no-text"])], characters: 0 });
const half = summaryOf("a", { pages: [page(1, ["recognised"]), page(2, ["no-text"])], characters: 50 });
const read = summaryOf("a", { pages: [page(1, ["recognised"]), page(2, ["no-text", "recognised"])], characters: 50 });

/** A desk with the scan open. */
async function withScan(recogniseText: Handler): Promise<void> {
  desk = createDesk({ openDocument: () => scan, recogniseText });
  await desk.session.start();
  await desk.session.conversations.openFiles(["/files/a.pdf"]);
}
const open = (): DocumentSummary | undefined => desk.session.stores.documents.getState().open[idOf("a")];
const shown = (): string => {
  const summary = open();
  return summary === undefined ? "" : show(desk.session, <Recognition summary={summary} />).replaceAll("\u00a0", " ");
};

test("a scan is offered to be read, says how far that is, and offers nothing more once it is", async () => {
  let finish = (): void => undefined;
  await withScan((_payload, { emit }) => {
    emit({ event: "progress", stage: "recognise", fraction: 0.75, done: 150, total: 200, secondsLeft: 12 });
    return new Promise((resolve) => {
      finish = () => resolve(read);
    });
  });
  expect(shown()).toContain("the pictures of 2 pages");
  const started = desk.session.recognition.start(idOf("a"), ["eng", "deu"]);
  await eventually(() => expect(shown()).toContain("75% · 1 of 2 pages · about 10 s left"));
  expect(shown()).toContain("Recognising the text of a.pdf");
  expect(desk.asked.filter(({ method }) => method === "recogniseText").at(-1)?.payload).toEqual({
    documentId: idOf("a"),
    languages: ["eng", "deu"],
  });
  finish();
  await started;
  expect(open()).toEqual(read);
  expect(shown()).toBe("");
});

test("one that is stopped is cancelled in the engine, keeps what was read, and can go on", async () => {
  let isCancelled = (): boolean => false;
  await withScan((_payload, { cancelled }) => {
    isCancelled = cancelled;
    return new Promise(() => undefined);
  });
  const started = desk.session.recognition.start(idOf("a"), ["eng"]);
  await eventually(() => expect(desk.asked.some(({ method }) => method === "recogniseText")).toBe(true));
  desk.handlers.openDocument = () => half;
  desk.session.recognition.stop(idOf("a"));
  await started;
  await eventually(() => expect(isCancelled()).toBe(true));
  expect(open()).toEqual(half);
  expect(shown()).toContain("the picture of 1 page");
  expect(desk.session.stores.shell.getState().problems).toEqual([]);
});

test("what goes wrong is said, and the offer stands again", async () => {
  await withScan(() => {
    throw new LongsightError("document-too-slow", "It took too long.");
  });
  await desk.session.recognition.start(idOf("a"), ["eng"]);
  expect(desk.session.stores.shell.getState().problems.map(({ problem }) => problem.message)).toEqual(["It took too long."]);
  expect(shown()).toContain("the pictures of 2 pages");
});
