import { createHash } from "node:crypto";
import { constants, open } from "node:fs/promises";
import { z } from "zod";
import { LongsightError } from "../../contract/errors.ts";

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
    if (status.isDirectory()) throw new LongsightError("document-unreadable", `“${name}” is a folder. Open the files inside it.`);
    if (!status.isFile()) throw new LongsightError("document-unreadable", `“${name}” is not an ordinary file, so it cannot be opened.`);
    if (status.size === 0) throw new LongsightError("document-empty", `“${name}” is empty (0 bytes). Get a fresh copy of the file.`);
    if (status.size > largestFileBytes) {
      const size = `${Math.ceil(status.size / 1_048_576)} MB`;
      throw new LongsightError(
        "document-too-large",
        `“${name}” has ${size}; Longsight opens files of up to 512 MB. Save only the pages you need and open those.`,
      );
    }
    const bytes = new Uint8Array(status.size);
    const hash = createHash("sha256");
    let filled = 0;
    while (filled < bytes.byteLength) {
      if (signal?.aborted === true) throw new LongsightError("cancelled", `Reading “${name}” was cancelled.`);
      const { bytesRead } = await file.read(bytes, filled, Math.min(pieceBytes, bytes.byteLength - filled), filled);
      if (bytesRead === 0) throw new LongsightError("document-unreadable", `“${name}” became shorter while it was read. Try again.`);
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
  throw new LongsightError("document-missing", `“${document.name}” has changed since it was opened. Open it again.`, document.path);
}

function fileProblem(error: unknown, name: string): LongsightError {
  const parsed = systemErrorSchema.safeParse(error);
  const code = parsed.success ? parsed.data.code : "";
  const detail = error instanceof Error ? error.message : String(error);
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new LongsightError("document-missing", `“${name}” was not found. It may have been moved, renamed or deleted.`, detail);
  }
  if (code === "EACCES" || code === "EPERM") {
    return new LongsightError(
      "document-unreadable",
      `You may not read “${name}”. Ask its owner for permission, or copy it to a folder of yours.`,
      detail,
    );
  }
  if (code === "EISDIR") return new LongsightError("document-unreadable", `“${name}” is a folder. Open the files inside it.`, detail);
  return new LongsightError("document-unreadable", `“${name}” could not be read from the disk.`, detail);
}
