import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPageDrawer, type DrawerWorker } from "../../../../renderer/pages/pageDrawer.ts";
import type { DrawerReply, DrawerRequest } from "../../../../renderer/pages/pdfiumMessages.ts";

type FakeWorker = DrawerWorker & {
  readonly posted: DrawerRequest[];
  ended: boolean;
  reply: (message: DrawerReply) => void;
};

const workers: FakeWorker[] = [];

function createWorker(): DrawerWorker {
  const posted: DrawerRequest[] = [];
  const worker: FakeWorker = {
    posted,
    ended: false,
    post: (request) => posted.push(request),
    listen(onReply) {
      worker.reply = onReply;
    },
    reply: () => undefined,
    terminate() {
      worker.ended = true;
    },
  };
  workers.push(worker);
  return worker;
}

const drawer = (limit?: number) => createPageDrawer(createWorker, new Uint8Array([1]), null, limit);
const idle = (): AbortSignal => new AbortController().signal;
const drawn = (worker: FakeWorker | undefined): number[] =>
  (worker?.posted ?? []).flatMap((request) => (request.kind === "draw" ? [request.page] : []));
const lastId = (worker: FakeWorker | undefined): number =>
  (worker?.posted ?? []).reduce((id, request) => (request.kind === "draw" ? request.id : id), 0);

beforeEach(() => {
  workers.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("drawing pages", () => {
  test("goes one at a time, nearest to the view first, and skips what is not wanted any longer", () => {
    const pages = drawer();
    const gone = new AbortController();
    for (const page of [1, 2, 50, 99]) pages.draw(page, 10, 10, page === 99 ? gone.signal : idle()).catch(() => undefined);
    pages.lookAt(98);
    expect(drawn(workers[0])).toEqual([]);
    workers[0]?.reply({ kind: "opened", pages: 100 });
    expect(drawn(workers[0])).toEqual([99]);
    workers[0]?.reply({ kind: "not-drawn", id: lastId(workers[0]), detail: "no" });
    expect(drawn(workers[0])).toEqual([99, 50]);
    pages.lookAt(2);
    workers[0]?.reply({ kind: "not-drawn", id: lastId(workers[0]), detail: "no" });
    expect(drawn(workers[0])).toEqual([99, 50, 2]);
    gone.abort();
  });

  test("a page that was given up while it waited is never drawn", async () => {
    const pages = drawer();
    const controller = new AbortController();
    const waiting = pages.draw(3, 10, 10, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    workers[0]?.reply({ kind: "opened", pages: 3 });
    expect(drawn(workers[0])).toEqual([]);
  });

  test("a page that takes too long fails, and the others are drawn by a new worker", async () => {
    const pages = drawer(1000);
    const slow = pages.draw(1, 10, 10, idle());
    pages.draw(2, 10, 10, idle()).catch(() => undefined);
    workers[0]?.reply({ kind: "opened", pages: 2 });
    vi.advanceTimersByTime(1001);
    await expect(slow).rejects.toThrow("too long");
    expect(workers[0]?.ended).toBe(true);
    workers[1]?.reply({ kind: "opened", pages: 2 });
    expect(drawn(workers[1])).toEqual([2]);
  });

  test("a document that does not open fails every page, with the reason", async () => {
    const pages = drawer();
    const first = pages.draw(1, 10, 10, idle());
    workers[0]?.reply({ kind: "not-opened", detail: "PDFium error 3" });
    await expect(first).rejects.toThrow("PDFium error 3");
    await expect(pages.draw(2, 10, 10, idle())).rejects.toThrow("PDFium error 3");
  });
});
