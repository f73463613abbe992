import { afterEach, expect, test } from "vitest";
import { createDesk, type Desk, eventually, idOf, measureOf, model, summaryOf } from "../fakeEngine.ts";

let desk: Desk;
afterEach(() => desk.session.dispose());

async function started(handlers: Parameters<typeof createDesk>[0] = {}): Promise<void> {
  desk = createDesk(handlers);
  await desk.session.start();
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
}

const request = { model: "small", contextLength: 2048, kvType: "f16", threads: null } as const;

test("a load is over when the model answers; documents are counted again behind it, with their progress", async () => {
  await started();
  await desk.session.conversations.openFiles(["/files/a.pdf"]);
  let counted: (value: unknown) => void = () => undefined;
  desk.handlers.openDocument = (_payload: unknown, { emit }) => {
    emit({ event: "progress", stage: "tokenise", fraction: 0.5, done: 50, total: 100, secondsLeft: null });
    return new Promise((resolve) => {
      counted = resolve;
    });
  };
  const documents = () => desk.session.stores.documents.getState();
  expect(await desk.session.model.load(request)).toBe(true);
  await eventually(() => expect(documents().recounting).toMatchObject({ name: "a.pdf", progress: { done: 50 } }));
  counted(summaryOf("a", { tokens: 333 }));
  await eventually(() => expect(documents().open[idOf("a")]?.tokens).toBe(333));
  expect(documents().recounting).toBeNull();
});

test("another length keeps the threads of the settings: automatic stays automatic", async () => {
  await started();
  expect(await desk.session.model.loadOtherwise({ model: model.report.path, contextLength: 4096 })).toBe(true);
  expect(desk.asked.filter((call) => call.method === "loadModel").at(-1)?.payload).toEqual({
    model: model.report.path,
    contextLength: 4096,
    kvType: "f16",
    threads: null,
    gpuLayers: null,
  });
  expect(desk.settings().threads).toBeNull();
});

test("documents that a shorter context does not hold ask what to do once the dialog that shortened it is closed", async () => {
  await started();
  const { session } = desk;
  await session.conversations.openFiles(["/files/a.pdf"]);
  await eventually(() => expect(session.stores.prompt.getState().measured?.measure.fits).toBe(true));
  session.showDialog("model");
  desk.handlers.loadModel = () => ({ ...model, contextLength: 256 });
  desk.handlers.measurePrompt = () =>
    measureOf({ documents: [{ documentId: idOf("a"), tokens: 400 }], contextLength: 256, answerRoom: 128, fits: false });
  await session.model.load(request);
  await eventually(() => expect(session.stores.prompt.getState().measured?.measure.fits).toBe(false));
  expect(session.stores.shell.getState().dialog).toBe("model");
  session.showDialog(null);
  expect(session.stores.shell.getState().dialog).toBe("fit");
  session.prompt.putFitAside();
  session.showDialog(null);
  expect(session.stores.shell.getState().dialog).toBeNull();
});

test("reading in windows, a context that is longer than memory is loaded with a full cache that fits", async () => {
  await started();
  await desk.session.changeSettings({ mode: "streaming", budget: 256 });
  expect(await desk.session.model.load({ ...request, contextLength: 8192 })).toBe(true);
  const loads = desk.asked.filter((call) => call.method === "loadModel");
  expect(loads.at(-1)?.payload).toMatchObject({ contextLength: 8192, fullCacheTokens: 256 });
  await desk.session.changeSettings({ mode: "question" });
  await desk.session.model.load(request);
  expect(desk.asked.filter((call) => call.method === "loadModel").at(-1)?.payload).not.toHaveProperty("fullCacheTokens");
});
