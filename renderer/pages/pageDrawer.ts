import type { DrawerReply, DrawerRequest } from "./pdfiumMessages.ts";

/** What the drawer needs of a Worker. */
export type DrawerWorker = {
  readonly post: (request: DrawerRequest) => void;
  readonly listen: (onReply: (reply: DrawerReply) => void, onFault: (detail: string) => void) => void;
  readonly terminate: () => void;
};

export type PageDrawer = {
  /** Draws a page. Rejects with an AbortError after an abort, else with why it cannot be drawn. */
  readonly draw: (page: number, width: number, height: number, signal: AbortSignal) => Promise<ImageBitmap>;
  /** The page that is looked at: pages near it are drawn first. */
  readonly lookAt: (page: number) => void;
  readonly close: () => void;
};

type Job = {
  readonly id: number;
  readonly page: number;
  readonly width: number;
  readonly height: number;
  readonly resolve: (bitmap: ImageBitmap) => void;
  readonly reject: (error: Error) => void;
};

/** Milliseconds that one page may take. A hostile page must not block the others for good. */
export const drawLimit = 15_000;

/** The error of a page that was given up: what it is for is out of view again. */
function abortError(): DOMException {
  return new DOMException("The page is not needed any longer.", "AbortError");
}

/** The worker of pdfium.worker.ts. */
export function startPdfiumWorker(): DrawerWorker {
  const worker = new Worker(new URL("./pdfium.worker.ts", import.meta.url), { type: "module", name: "pages" });
  return {
    post: (request) => worker.postMessage(request),
    listen(onReply, onFault) {
      worker.addEventListener("message", (message: MessageEvent<DrawerReply>) => onReply(message.data));
      worker.addEventListener("error", (event) => onFault(event.message));
    },
    terminate: () => worker.terminate(),
  };
}

/**
 * Draws the pages of one document, one at a time, those near the view first; a page that takes longer than
 * {@link drawLimit} fails and the worker is replaced.
 */
export function createPageDrawer(
  createWorker: () => DrawerWorker,
  bytes: Uint8Array,
  password: string | null,
  limit: number = drawLimit,
): PageDrawer {
  let worker: DrawerWorker | null = null;
  let ready = false;
  let closed = false;
  let broken: Error | null = null;
  let lastId = 0;
  let lookedAt = 1;
  let waiting: Job[] = [];
  let running: Job | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;

  function startWorker(): void {
    ready = false;
    worker = createWorker();
    worker.listen(received, (detail) => breakDown(new Error(detail)));
    // Copied, not transferred: a worker that is replaced needs the bytes again.
    worker.post({ kind: "open", bytes, password });
  }

  function breakDown(error: Error): void {
    broken = error;
    worker?.terminate();
    worker = null;
    endRunning()?.reject(error);
    for (const job of waiting.splice(0)) job.reject(error);
  }

  function endRunning(): Job | null {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const job = running;
    running = null;
    return job;
  }

  function received(message: DrawerReply): void {
    if (message.kind === "not-opened") return breakDown(new Error(message.detail));
    if (message.kind === "opened") {
      ready = true;
    } else {
      const job = running !== null && running.id === message.id ? endRunning() : null;
      if (message.kind === "drawn") {
        if (job === null) message.bitmap.close();
        else job.resolve(message.bitmap);
      } else {
        job?.reject(new Error(message.detail));
      }
    }
    next();
  }

  function next(): void {
    if (!ready || running !== null || worker === null) return;
    const [nearest] = [...waiting].sort((a, b) => Math.abs(a.page - lookedAt) - Math.abs(b.page - lookedAt));
    if (nearest === undefined) return;
    waiting = waiting.filter((job) => job !== nearest);
    running = nearest;
    timer = setTimeout(() => {
      endRunning()?.reject(new Error("The page takes too long to draw."));
      worker?.terminate();
      if (!closed) startWorker();
    }, limit);
    worker.post({ kind: "draw", id: nearest.id, page: nearest.page, width: nearest.width, height: nearest.height });
  }

  startWorker();
  return {
    draw(page, width, height, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted || closed) return reject(abortError());
        if (broken !== null) return reject(broken);
        lastId += 1;
        const job: Job = { id: lastId, page, width, height, resolve, reject };
        signal.addEventListener(
          "abort",
          () => {
            // One that is being drawn already runs to its end: its picture is good for the cache.
            if (!waiting.includes(job)) return;
            waiting = waiting.filter((other) => other !== job);
            reject(abortError());
          },
          { once: true },
        );
        waiting.push(job);
        next();
      });
    },
    lookAt(page) {
      lookedAt = page;
    },
    close() {
      closed = true;
      breakDown(abortError());
    },
  };
}
