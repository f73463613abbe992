import { basename, resolve } from "node:path";
import { LongsightError } from "../contract/errors.ts";
import type { SnapshotUsage } from "../contract/snapshots.ts";
import type { CallOptions } from "../engine/callOptions.ts";
import { readDocumentFile } from "../engine/documents/files.ts";
import type { Engine } from "../engine/engine.ts";
import type { CommandOf } from "./arguments.ts";
import type { Output } from "./output.ts";
import { sizeOf } from "./summary.ts";

/** Digits of an id that are shown: enough to tell documents apart, and to name one. */
const shownDigits = 12;

/** `cache list`, with what is to be changed of its settings. */
export async function listCache(engine: Engine, { options }: CommandOf<"cache-list">, output: Output, call: CallOptions): Promise<void> {
  const { budget, form } = options;
  const isChange = budget !== undefined || form !== undefined;
  const usage = isChange
    ? await engine.call("configureSnapshots", { budgetBytes: budget, form }, call)
    : await engine.call("snapshotUsage", {}, call);
  output.event({ event: "cache", ...usage });
  output.text(wordsOf(usage));
}

/**
 * `cache clear`.
 * @throws LongsightError `usage` for a document of which nothing is kept; those named before it are cleared then
 */
export async function clearCache(engine: Engine, command: CommandOf<"cache-clear">, output: Output, call: CallOptions): Promise<void> {
  let usage = await engine.call("snapshotUsage", {}, call);
  const before = usage.totalBytes;
  if (command.documents === null) usage = await engine.call("clearSnapshots", { documentId: null }, call);
  for (const wanted of command.documents ?? []) {
    const documentId = await idOf(wanted, usage.documents);
    usage = await engine.call("clearSnapshots", { documentId }, call);
  }
  output.event({ event: "cache", ...usage });
  output.text(`${sizeOf(before - usage.totalBytes)} freed. ${wordsOf(usage)}`);
}

/** The id of what was named: by the beginning of its id, by its name, or by its file. */
async function idOf(wanted: string, documents: SnapshotUsage["documents"]): Promise<string> {
  const named = documents.filter(
    ({ documentId, name }) => name === wanted || (/^[0-9a-f]{8,64}$/.test(wanted) && documentId.startsWith(wanted)),
  );
  if (named.length > 1) {
    throw new LongsightError(
      "usage",
      `“${wanted}” could be each of ${named.length} documents. Name one by its id, as \`cache list\` shows it.`,
    );
  }
  if (named[0] !== undefined) return named[0].documentId;
  const path = resolve(wanted);
  const found = await readDocumentFile(path, basename(path), undefined).catch(() => null);
  if (found !== null && documents.some(({ documentId }) => documentId === found.id)) return found.id;
  throw new LongsightError("usage", `Nothing is kept of “${wanted}”. \`cache list\` shows what is.`);
}

function wordsOf({ folder, settings, totalBytes, documents }: SnapshotUsage): string {
  const form = settings.form === "exact" ? "" : `, stored as ${settings.form}`;
  const lines = documents.map(({ documentId, name, bytes, usedAt }) => {
    const used = new Date(usedAt).toLocaleString("sv-SE").slice(0, 16);
    return `  ${sizeOf(bytes).padStart(8)}  ${name}  (${documentId.slice(0, shownDigits)}, used ${used})`;
  });
  return [`${sizeOf(totalBytes)} of ${sizeOf(settings.budgetBytes)} used in ${folder}${form}`, ...lines, ""].join("\n");
}
