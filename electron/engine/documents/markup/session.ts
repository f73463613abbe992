import { Worker } from "node:worker_threads";
import { LongsightError } from "../../../contract/errors.ts";
import type { MessageName } from "../../../contract/messages/english.ts";
import { parseAt } from "../../../contract/parse.ts";
import { say } from "../../../contract/said.ts";
import { slowdown } from "../slowdown.ts";
import type { MarkupFailureReason } from "./failure.ts";
import { type FromMarkupWorker, fromMarkupWorkerSchema, type MarkupKind, type MarkupStart, type MarkupText } from "./protocol.ts";

export type MarkupSource = {
  readonly workerPath: string;
  /** For the sentences of errors. */
  readonly fileName: string;
  /** Longest wait for a sign of the worker, in milliseconds. */
  readonly timeLimitMs: number;
  /** Most memory of the worker's heap, in bytes. */
  readonly memoryLimitBytes: number;
};

const damaged = { docx: "docxDamaged", epub: "epubDamaged", html: "htmlDamaged" } as const satisfies Record<MarkupKind, MessageName>;

function refusal(reason: MarkupFailureReason, kind: MarkupKind, name: string, detail: string): LongsightError {
  switch (reason) {
    case "damaged":
      return new LongsightError("document-damaged", say(damaged[kind], { file: name }), detail);
    case "too-large":
      return new LongsightError("document-too-large", say("markupTooLarge", { file: name }), detail);
    case "protected":
      return new LongsightError("document-damaged", say("markupProtected", { file: name }), detail);
    case "internal":
      return new LongsightError("engine-failed", say("documentFault", { file: name }), detail);
  }
}

/**
 * Reads a Word document, a book or a web page in a thread of its own, which is ended with the request, or past its limits. The bytes are
 * handed over: the caller's array is empty afterwards.
 * @throws LongsightError document-damaged, -too-large, -too-slow, cancelled
 */
export function readMarkup(
  source: MarkupSource,
  kind: MarkupKind,
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal | undefined,
  onProgress: (done: number, total: number) => void,
): Promise<MarkupText> {
  const name = source.fileName;
  const cancelled = (): LongsightError => new LongsightError("cancelled", say("readingCancelled", { file: name }));
  if (signal?.aborted === true) return Promise.reject(cancelled());
  const workerData: MarkupStart = { kind, bytes };
  const worker = new Worker(source.workerPath, {
    workerData,
    transferList: [bytes.buffer],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(source.memoryLimitBytes / 1_048_576) },
  });
  let onAbort = (): void => undefined;
  return new Promise<MarkupText>((resolve, reject) => {
    const limitMs = source.timeLimitMs * slowdown();
    const seconds = Math.round(limitMs / 1000);
    const tooSlow = new LongsightError("document-too-slow", say("markupTooSlow", { file: name, seconds }));
    let timer = setTimeout(() => reject(tooSlow), limitMs);
    onAbort = () => reject(cancelled());
    signal?.addEventListener("abort", onAbort);
    const take = (message: FromMarkupWorker): void => {
      if (message.kind === "failed") reject(refusal(message.reason, kind, name, message.detail));
      else if (message.kind === "read") resolve(message.text);
      else {
        clearTimeout(timer);
        timer = setTimeout(() => reject(tooSlow), limitMs);
        onProgress(message.done, message.total);
      }
    };
    worker.on("message", (message: unknown) => {
      try {
        take(parseAt("message of the markup worker", fromMarkupWorkerSchema, message));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    worker.on("error", (error: Error & { code?: unknown }) =>
      reject(refusal(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "too-large" : "internal", kind, name, error.message)),
    );
    worker.on("exit", () => {
      clearTimeout(timer);
      reject(refusal("internal", kind, name, "the worker ended"));
    });
  }).finally(async () => {
    signal?.removeEventListener("abort", onAbort);
    await worker.terminate();
  });
}
