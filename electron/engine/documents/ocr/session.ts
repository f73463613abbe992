import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import type { RecognitionLanguage } from "../../../contract/document.ts";
import { LongsightError } from "../../../contract/errors.ts";
import { say } from "../../../contract/said.ts";
import type { PlacedText } from "../layout/compose.ts";
import { slowdown } from "../slowdown.ts";
import { type FromOcrWorker, fromOcrWorkerSchema, type OcrStart, type PagePicture } from "./protocol.ts";

/** Reads text out of pictures, one at a time. After a rejection it is closed. */
export type Recogniser = {
  /**
   * @param onFraction called with 0 … 1 while the page is read
   * @throws LongsightError cancelled, document-too-slow, engine-failed
   */
  recognise(page: PagePicture, signal: AbortSignal, onFraction: (fraction: number) => void): Promise<PlacedText>;
  /** Ends the thread, and with it whatever it computes. */
  close(): Promise<void>;
};

export type RecogniserSource = {
  /** The bundled ocrWorker.ts; tesseract's parts and the languages' data lie beside it. */
  readonly workerPath: string;
  readonly languages: readonly RecognitionLanguage[];
  /** For the sentences of errors. */
  readonly fileName: string;
  /** Longest wait for a sign of it in milliseconds. */
  readonly timeLimitMs?: number;
};

/** A page of small print takes ten seconds; a busy machine, ten times that. */
const defaultTimeLimitMs = 180_000;

type Wait = { take(message: FromOcrWorker): void; reject(error: LongsightError): void };

export function openRecogniser({ workerPath, languages, fileName, timeLimitMs = defaultTimeLimitMs }: RecogniserSource): Recogniser {
  const workerData: OcrStart = { folder: dirname(workerPath), languages: [...languages] };
  const worker = new Worker(workerPath, { workerData, stdout: true, stderr: true });
  worker.unref();
  let wait: Wait | null = null;
  let ended: LongsightError | null = null;
  const fault = (detail: string): LongsightError =>
    new LongsightError("engine-failed", say("recognisingFault", { file: fileName }), detail);
  const fail = (error: LongsightError): void => {
    ended ??= error;
    const waiting = wait;
    wait = null;
    // Whoever waits hears at once; the thread may take a moment to end.
    void worker.terminate();
    waiting?.reject(ended);
  };
  worker.on("message", (message: unknown) => {
    const parsed = fromOcrWorkerSchema.safeParse(message);
    if (parsed.success) wait?.take(parsed.data);
    else fail(fault("a message was not understood"));
  });
  worker.on("error", (error) => fail(fault(error.message)));
  worker.on("exit", () => fail(fault("the worker ended")));

  return {
    recognise: (page, signal, onFraction) =>
      new Promise<PlacedText>((resolve, reject) => {
        const cancelled = (): void => fail(new LongsightError("cancelled", say("recognisingStopped", { file: fileName })));
        const limitMs = timeLimitMs * slowdown();
        const seconds = Math.round(limitMs / 1000);
        const slow = (): void => fail(new LongsightError("document-too-slow", say("recognisingTooSlow", { file: fileName, seconds })));
        let timer = setTimeout(slow, limitMs);
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", cancelled);
          worker.unref();
        };
        wait = {
          take: (message) => {
            if (message.kind === "failed") return fail(fault(message.detail));
            if (message.kind === "progress") {
              clearTimeout(timer);
              timer = setTimeout(slow, limitMs);
              return onFraction(message.fraction);
            }
            wait = null;
            end();
            resolve({ text: message.text, boxes: message.boxes });
          },
          reject: (error) => {
            end();
            reject(error);
          },
        };
        if (ended !== null) return fail(ended);
        if (signal.aborted) return cancelled();
        signal.addEventListener("abort", cancelled);
        worker.ref();
        worker.postMessage(page, [page.pixels.buffer]);
      }),
    close: async () => {
      ended ??= fault("it was closed");
      await worker.terminate();
    },
  };
}
