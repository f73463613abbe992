import { afterEach, describe, expect, test } from "vitest";
import type { OfferedModel } from "../../../../electron/contract/catalogue.ts";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import { createDesk, type Desk, eventually, report } from "../fakeEngine.ts";

let desk: Desk;
afterEach(() => desk.session.dispose());

async function started(handlers: Parameters<typeof createDesk>[0] = {}): Promise<void> {
  desk = createDesk(handlers);
  await desk.session.start();
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
}

const state = () => desk.session.stores.model.getState();
const mine = { ...report, id: "mine", name: "Mine", path: "/files/mine.gguf", embedded: false, origin: "added" } as const;
const asked = (method: string) => desk.asked.filter((call) => call.method === method).map(({ payload }) => payload);

describe("a GGUF file", () => {
  test("that is dropped goes on the list and is chosen, with the list in view; documents beside it open", async () => {
    await started({ addModel: () => mine, listModels: () => [report, mine] });
    await desk.session.openFiles(["/files/a.pdf", "/files/mine.GGUF"]);
    expect(asked("addModel")).toEqual([{ path: "/files/mine.GGUF" }]);
    expect(state()).toMatchObject({ chosen: mine.path, problem: null });
    expect(state().reports.map(({ id }) => id)).toEqual(["small", "mine"]);
    expect(desk.session.stores.shell.getState().dialog).toBe("model");
    expect(asked("openDocument")).toMatchObject([{ path: "/files/a.pdf" }]);
  });

  test("stays on the list where one that was asked for before it comes late", async () => {
    let answerFirst: (reports: readonly (typeof report | typeof mine)[]) => void = () => undefined;
    const first = new Promise<readonly (typeof report | typeof mine)[]>((resolve) => {
      answerFirst = resolve;
    });
    await started({ addModel: () => mine });
    let calls = 0;
    desk.handlers.listModels = () => {
      calls += 1;
      return calls === 1 ? first : [report, mine];
    };
    const late = desk.session.shelf.refresh();
    await desk.session.shelf.add([mine.path]);
    answerFirst([report]);
    await late;
    expect(state().reports.map(({ id }) => id)).toEqual(["small", "mine"]);
  });

  test("that is none says so, and chooses nothing", async () => {
    await started({
      addModel: () => {
        throw new LongsightError("model-invalid", "“mine.gguf” is not a GGUF file.");
      },
    });
    desk.files.chosen = ["/files/mine.gguf"];
    await desk.session.shelf.chooseFile();
    expect(state()).toMatchObject({ chosen: null, problem: { code: "model-invalid" } });
    // The next try begins without it.
    desk.files.chosen = [];
    await desk.session.shelf.chooseFile();
    expect(state().problem).toBeNull();
  });

  test("that is taken off the list is not chosen any more; why it cannot be is shown", async () => {
    let refuse = false;
    await started({
      addModel: () => mine,
      removeModel: () => {
        if (refuse) throw new LongsightError("not-supported", "It is loaded.");
        return {};
      },
    });
    await desk.session.shelf.add([mine.path]);
    await desk.session.shelf.remove(mine.path);
    expect(state()).toMatchObject({ chosen: null, problem: null });
    expect(asked("removeModel")).toEqual([{ path: mine.path }]);
    refuse = true;
    await desk.session.shelf.remove(report.path);
    expect(state().problem).toMatchObject({ message: "It is loaded." });
  });
});

describe("a download", () => {
  const offer: OfferedModel = {
    id: "offered",
    name: "Offered",
    quantisation: "Q4_K_M",
    licence: "MIT",
    trainedContextLength: 2048,
    file: "offered.gguf",
    bytes: 1000,
    sha256: "0".repeat(64),
    address: "https://example.org/offered.gguf",
    servers: ["example.org"],
    partBytes: 0,
    path: null,
  };
  const progress = { event: "progress", stage: "download", fraction: 0.4, done: 400, total: 1000, secondsLeft: 3 } as const;
  const never = () => new Promise(() => undefined);

  test("shows its progress, and its model is listed and chosen at the end", async () => {
    let finish: (value: unknown) => void = () => undefined;
    await started({
      downloadModel: (_payload: unknown, { emit }) => {
        emit(progress);
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
      listCatalogue: () => [offer],
      listModels: () => [report, mine],
    });
    const running = desk.session.downloads.start("offered");
    await eventually(() => expect(state().downloads["offered"]).toMatchObject({ running: true, progress: { done: 400 } }));
    // Pressed twice, it is one.
    await desk.session.downloads.start("offered");
    expect(asked("downloadModel")).toHaveLength(1);
    finish(mine);
    await running;
    expect(state()).toMatchObject({ downloads: {}, chosen: mine.path, offers: [offer] });
  });

  test("that is paused is no problem, and goes on", async () => {
    await started({ downloadModel: never, listCatalogue: () => [{ ...offer, partBytes: 400 }] });
    const running = desk.session.downloads.start("offered");
    desk.session.downloads.pause("offered");
    await running;
    expect(state()).toMatchObject({ downloads: {}, offers: [{ partBytes: 400 }] });
    void desk.session.downloads.start("offered");
    await eventually(() => expect(asked("downloadModel")).toHaveLength(2));
  });

  test("that is cancelled is stopped and what has arrived deleted", async () => {
    await started({ downloadModel: never, discardDownload: () => ({}), listCatalogue: () => [offer] });
    const running = desk.session.downloads.start("offered");
    await desk.session.downloads.discard("offered");
    await running;
    expect(asked("discardDownload")).toEqual([{ id: "offered" }]);
    expect(state().downloads).toEqual({});
  });

  test("that fails says why where it stands, until the next try; one that was not agreed to says nothing", async () => {
    let error = new LongsightError("model-download", "The connection failed.");
    await started({
      downloadModel: () => {
        throw error;
      },
    });
    await desk.session.downloads.start("offered");
    expect(state().downloads["offered"]).toMatchObject({ running: false, problem: { code: "model-download" } });
    error = new LongsightError("cancelled", "It was not downloaded.");
    await desk.session.downloads.start("offered");
    expect(state().downloads).toEqual({});
  });
});
