import { parentPort, workerData } from "node:worker_threads";
import { parseAt } from "../../contract/parse.ts";
import { readDocx } from "./markup/docx.ts";
import { readEpub } from "./markup/epub.ts";
import { MarkupFailure } from "./markup/failure.ts";
import { readHtml } from "./markup/html.ts";
import { type FromMarkupWorker, type MarkupStart, type MarkupText, markupStartSchema } from "./markup/protocol.ts";

/** Entry of the thread that reads Word documents, books and web pages. It reads one file and may be ended at any moment. */

function send(message: FromMarkupWorker): void {
  parentPort?.postMessage(message);
}

function read({ kind, bytes }: MarkupStart): Promise<MarkupText> | MarkupText {
  if (kind === "docx") return readDocx(bytes);
  if (kind === "epub") return readEpub(bytes, (done, total) => send({ kind: "progress", done, total }));
  return readHtml(bytes);
}

function failureOf(thrown: unknown): FromMarkupWorker {
  const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  if (thrown instanceof MarkupFailure) return { kind: "failed", reason: thrown.reason, detail: thrown.message };
  // Markup that is nested without end exhausts the stack.
  return { kind: "failed", reason: thrown instanceof RangeError ? "damaged" : "internal", detail };
}

async function main(): Promise<void> {
  try {
    send({ kind: "read", text: await read(parseAt("start of the markup worker", markupStartSchema, workerData)) });
  } catch (thrown) {
    send(failureOf(thrown));
  }
}

void main();
