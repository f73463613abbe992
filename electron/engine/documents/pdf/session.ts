import { Worker } from "node:worker_threads";
import { LongsightError } from "../../../contract/errors.ts";
import { say } from "../../../contract/said.ts";
import { slowdown } from "../slowdown.ts";
import { type FromWorker, type PdfPage, parseFromWorker, type ToWorker, type WorkerFailure, type WorkerStart } from "./protocol.ts";

/** What a worker may take before it is ended. */
export type PdfLimits = {
  /** Longest wait for the next page in milliseconds; a whole document may take that, or `perPageMs` for each page if that is more. */
  readonly timeLimitMs: number;
  readonly perPageMs: number;
  readonly memoryLimitBytes: number;
};

/** What is heard while a document is extracted. */
export type Extraction = { readonly onSizes: (sizes: Float32Array) => void; readonly onPage: (page: PdfPage) => void };

/** A document open in a worker of its own. Every call rejects with LongsightError; after a rejection the session is closed. */
export type PdfSession = {
  readonly pages: number;
  readonly locked: boolean;
  /** @param heard each page; before them width and height of each in points, as shown, where finding them does not take too long */
  extract(signal: AbortSignal | undefined, heard: Extraction): Promise<void>;
  place(page: number, signal: AbortSignal | undefined): Promise<{ text: string; boxes: Float32Array<ArrayBuffer> }>;
  /** A page as shown, stretched to so many pixels: red, green and blue of each, row by row. Null where the page is damaged. */
  draw(
    page: number,
    size: { readonly width: number; readonly height: number },
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array<ArrayBuffer> | null>;
  readonly closed: boolean;
  close(): Promise<void>;
};

export type PdfSource = {
  readonly workerPath: string;
  readonly wasmPath: string;
  readonly limits: PdfLimits;
  /** For the sentences of errors. */
  readonly fileName: string;
};

function refusal(reason: WorkerFailure, source: PdfSource, passwordGiven: boolean, detail: string): LongsightError {
  const file = source.fileName;
  switch (reason) {
    case "password":
      return passwordGiven
        ? new LongsightError("document-password-wrong", say("passwordWrong", { file }), detail)
        : new LongsightError("document-password-needed", say("passwordNeeded", { file }), detail);
    case "encryption":
      return new LongsightError("document-damaged", say("encryptionUnknown", { file }), detail);
    case "memory":
      return new LongsightError(
        "document-too-large",
        say("documentNeedsMemory", { file, megabytes: Math.round(source.limits.memoryLimitBytes / 1_048_576) }),
        detail,
      );
    case "internal":
      return new LongsightError("engine-failed", say("documentFault", { file }), detail);
    case "damaged":
      return new LongsightError("document-damaged", say("pdfDamaged", { file }), detail);
  }
}

function tooSlow(source: PdfSource, waitedMs: number): LongsightError {
  const seconds = Math.round(waitedMs / 1000);
  return new LongsightError("document-too-slow", say("pdfTooSlow", { file: source.fileName, seconds }));
}

type Wait = {
  readonly take: (message: FromWorker) => boolean;
  readonly reject: (error: unknown) => void;
  readonly startedAt: number;
  lastSignAt: number;
};

/**
 * Starts a worker, opens the document in it and watches it. The bytes are handed over: the caller's array is empty afterwards.
 * @throws LongsightError document-damaged, -password-needed, -password-wrong, -too-slow, -too-large, cancelled.
 */
export async function openPdfSession(
  source: PdfSource,
  bytes: Uint8Array<ArrayBuffer>,
  password: string,
  signal: AbortSignal | undefined,
): Promise<PdfSession> {
  const { limits } = source;
  const workerData: WorkerStart = { wasmPath: source.wasmPath, memoryLimitBytes: limits.memoryLimitBytes };
  const worker = new Worker(source.workerPath, {
    workerData,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: Math.max(256, Math.ceil(limits.memoryLimitBytes / 1_048_576)) },
  });
  let wait: Wait | null = null;
  let closed = false;
  let pages = 0;
  let locked = false;

  const close = async (): Promise<void> => {
    closed = true;
    await worker.terminate();
  };
  const fail = (error: unknown): void => {
    const waiting = wait;
    wait = null;
    // Whoever waits hears at once; the thread may take a moment to end.
    void close();
    waiting?.reject(error);
  };
  worker.on("message", (message: unknown) => {
    if (wait === null) return;
    try {
      const parsed = parseFromWorker(message);
      if (parsed.kind === "failed") fail(refusal(parsed.reason, source, password !== "", parsed.detail));
      else {
        wait.lastSignAt = performance.now();
        if (wait.take(parsed)) wait = null;
      }
    } catch (thrown) {
      fail(thrown);
    }
  });
  worker.on("error", (error: Error & { code?: unknown }) => {
    fail(refusal(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "damaged", source, false, error.message));
  });
  worker.on("exit", () => fail(refusal("damaged", source, false, "the worker ended")));

  /** Sends a request and gathers its replies until `take` says that it was the last. */
  const request = (message: ToWorker, abort: AbortSignal | undefined, take: (reply: FromWorker) => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const cancelled = (): LongsightError => new LongsightError("cancelled", say("readingCancelled", { file: source.fileName }));
      if (closed || abort?.aborted === true) {
        void close();
        reject(abort?.aborted === true ? cancelled() : refusal("damaged", source, false, "the worker had ended"));
        return;
      }
      const onAbort = (): void => fail(cancelled());
      const timer = setInterval(
        () => {
          if (wait === null) return;
          const now = performance.now();
          const patience = slowdown();
          if (now - wait.lastSignAt > patience * limits.timeLimitMs) fail(tooSlow(source, now - wait.lastSignAt));
          else if (now - wait.startedAt > patience * Math.max(limits.timeLimitMs, limits.perPageMs * pages))
            fail(tooSlow(source, now - wait.startedAt));
        },
        Math.min(250, limits.timeLimitMs / 4),
      );
      const end = (): void => {
        clearInterval(timer);
        abort?.removeEventListener("abort", onAbort);
        worker.unref();
      };
      worker.ref();
      abort?.addEventListener("abort", onAbort, { once: true });
      const now = performance.now();
      wait = {
        startedAt: now,
        lastSignAt: now,
        take: (reply) => {
          if (!take(reply)) return false;
          end();
          resolve();
          return true;
        },
        reject: (error) => {
          end();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      };
      worker.postMessage(message, message.kind === "open" ? [message.bytes.buffer] : []);
    });

  await request({ kind: "open", bytes, password }, signal, (reply) => {
    if (reply.kind !== "opened") return false;
    pages = reply.pages;
    locked = reply.locked;
    return true;
  });

  return {
    pages,
    locked,
    get closed() {
      return closed;
    },
    close,
    extract: (abort, { onSizes, onPage }) =>
      request({ kind: "extract" }, abort, (reply) => {
        if (reply.kind === "sizes") onSizes(reply.sizes);
        if (reply.kind === "page") onPage(reply.page);
        return reply.kind === "finished";
      }),
    place: async (page, abort) => {
      let placed: { text: string; boxes: Float32Array<ArrayBuffer> } | null = null;
      await request({ kind: "place", page }, abort, (reply) => {
        if (reply.kind !== "placed") return false;
        placed = { text: reply.text, boxes: reply.boxes };
        return true;
      });
      return placed ?? { text: "", boxes: new Float32Array(0) };
    },
    draw: async (page, { width, height }, abort) => {
      let pixels: Uint8Array<ArrayBuffer> | null = null;
      await request({ kind: "draw", page, width, height }, abort, (reply) => {
        if (reply.kind !== "drawn") return false;
        pixels = reply.pixels;
        return true;
      });
      return pixels;
    },
  };
}
