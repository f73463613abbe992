import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { PlacedText } from "../layout/compose.ts";

/** Text that was read out of a document's pictures, by page. */
export type RecognisedPages = ReadonlyMap<number, PlacedText>;

/**
 * Recognised text on disk, a file for each document, so that hours of work outlive a restart. What is missing, broken or of an earlier
 * form is read as nothing: it can be recognised again.
 */
export type RecognisedFiles = {
  read(documentId: string): Promise<RecognisedPages>;
  /** @throws what the system does where it cannot be written */
  write(documentId: string, pages: RecognisedPages): Promise<void>;
  remove(documentId: string): Promise<void>;
};

const version = 1;
const fileSchema = z.object({
  version: z.literal(version),
  /** `boxes`: four little-endian float32 for each UTF-16 unit, in base64. */
  pages: z.array(z.object({ page: z.number().int().positive(), text: z.string(), boxes: z.string() })),
});

/** @param folder null: nothing is kept */
export function createRecognisedFiles(folder: string | null): RecognisedFiles {
  if (folder === null) {
    return { read: () => Promise.resolve(new Map()), write: () => Promise.resolve(), remove: () => Promise.resolve() };
  }
  const pathOf = (documentId: string): string => join(folder, `${documentId}.json`);
  return {
    read: async (documentId) => {
      try {
        const value: unknown = JSON.parse(await readFile(pathOf(documentId), "utf8"));
        const { pages } = fileSchema.parse(value);
        const placed = pages.map(({ page, text, boxes }) => [page, { text, boxes: floatsOf(boxes) }] as const);
        return new Map(placed.filter(([, { text, boxes }]) => boxes.length === 4 * text.length));
      } catch {
        return new Map();
      }
    },
    write: async (documentId, pages) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = pathOf(documentId);
      const beside = `${path}.${process.pid}-${randomBytes(4).toString("hex")}.new`;
      const content = [...pages].map(([page, { text, boxes }]) => ({ page, text, boxes: base64Of(boxes) }));
      try {
        await writeFile(beside, JSON.stringify({ version, pages: content } satisfies z.input<typeof fileSchema>), {
          flag: "wx",
          mode: 0o600,
        });
        await rename(beside, path);
      } finally {
        await rm(beside, { force: true }).catch(() => undefined);
      }
    },
    remove: (documentId) => rm(pathOf(documentId), { force: true }),
  };
}

function base64Of(boxes: Float32Array): string {
  const bytes = Buffer.alloc(4 * boxes.length);
  boxes.forEach((value, index) => {
    bytes.writeFloatLE(value, 4 * index);
  });
  return bytes.toString("base64");
}

function floatsOf(base64: string): Float32Array<ArrayBuffer> {
  const bytes = Buffer.from(base64, "base64");
  return Float32Array.from({ length: bytes.length >> 2 }, (_, index) => bytes.readFloatLE(4 * index));
}
