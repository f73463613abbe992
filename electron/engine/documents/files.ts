import { createHash } from "node:crypto";
import { constants, open } from "node:fs/promises";
import { z } from "zod";
import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";

/** Largest file that is opened, in bytes: PDFium holds it in memory as a whole. */
export const largestFileBytes = 512 * 1_048_576;

const systemErrorSchema = z.object({ code: z.string() });

/** Reading is in pieces, so that a cancel is heard on a slow disk. */
const pieceBytes = 4 * 1_048_576;

/**
 * Reads a whole file and its SHA-256.
 * @throws LongsightError document-missing, -unreadable (a folder, no permission, a failing disk), -empty, -too-large, cancelled.
 */
export async function readDocumentFile(
  path: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; id: string }> {
  // Not blocking: opening a named pipe would wait for a writer for ever, in a thread that nothing can end. Windows has no such flag.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    throw fileProblem(error, name);
  });
  try {
    const status = await file.stat();
    if (status.isDirectory()) throw new LongsightError("document-unreadable", say("documentIsFolder", { file: name }));
    if (!status.isFile()) throw new LongsightError("document-unreadable", say("documentNoFile", { file: name }));
    if (status.size === 0) throw new LongsightError("document-empty", say("documentEmpty", { file: name }));
    if (status.size > largestFileBytes) {
      const megabytes = Math.ceil(status.size / 1_048_576);
      throw new LongsightError("document-too-large", say("documentTooLarge", { file: name, megabytes }));
    }
    const bytes = new Uint8Array(status.size);
    const hash = createHash("sha256");
    let filled = 0;
    while (filled < bytes.byteLength) {
      if (signal?.aborted === true) throw new LongsightError("cancelled", say("readingCancelled", { file: name }));
      const { bytesRead } = await file.read(bytes, filled, Math.min(pieceBytes, bytes.byteLength - filled), filled);
      if (bytesRead === 0) throw new LongsightError("document-unreadable", say("documentShrank", { file: name }));
      hash.update(bytes.subarray(filled, filled + bytesRead));
      filled += bytesRead;
    }
    return { bytes, id: hash.digest("hex") };
  } catch (error) {
    throw error instanceof LongsightError ? error : fileProblem(error, name);
  } finally {
    await file.close();
  }
}

/**
 * Reads a file that was read before.
 * @throws LongsightError document-missing where its bytes are others now, and whatever {@link readDocumentFile} throws
 */
export async function readSameFile(
  document: { readonly id: string; readonly path: string; readonly name: string },
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, id } = await readDocumentFile(document.path, document.name, signal);
  if (id === document.id) return bytes;
  throw new LongsightError("document-missing", say("documentChanged", { file: document.name }), document.path);
}

function fileProblem(error: unknown, name: string): LongsightError {
  const parsed = systemErrorSchema.safeParse(error);
  const code = parsed.success ? parsed.data.code : "";
  const detail = error instanceof Error ? error.message : String(error);
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new LongsightError("document-missing", say("documentMissing", { file: name }), detail);
  }
  if (code === "EACCES" || code === "EPERM") {
    return new LongsightError("document-unreadable", say("documentForbidden", { file: name }), detail);
  }
  if (code === "EISDIR") return new LongsightError("document-unreadable", say("documentIsFolder", { file: name }), detail);
  return new LongsightError("document-unreadable", say("documentNotRead", { file: name }), detail);
}
