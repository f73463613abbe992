import { pipeline } from "node:stream/promises";
import { constants, crc32, createDeflate } from "node:zlib";

/** A picture: red, green and blue of each pixel, row by row from the top, in pieces of whole rows. */
export type Picture = {
  readonly width: number;
  readonly height: number;
  /** A sentence or two that go with the picture, for programs that show them. */
  readonly description: string;
  readonly rows: AsyncIterable<Uint8Array>;
};

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const bitsPerColour = 8;
const colours = 2;
/** Each byte less the one above it: pages are mostly the same from row to row. */
const filterUp = 2;

/**
 * Encodes a picture as PNG while its rows come (PNG, third edition, W3C 2025).
 * @throws RangeError where the rows are not as many as the height says: a mistake in the program
 */
export async function* encodePng({ width, height, description, rows }: Picture): AsyncGenerator<Uint8Array> {
  yield signature;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bitsPerColour;
  header[9] = colours;
  yield chunk("IHDR", header);
  // Keyword, no compression, no language, no translated keyword, then UTF-8.
  yield chunk("iTXt", Buffer.from(`Description\0\0\0\0\0${description.replace(/\0/g, "")}`, "utf8"));
  const deflate = createDeflate({ level: constants.Z_DEFAULT_COMPRESSION });
  const fed = pipeline(filtered(rows, width, height), deflate);
  // Seen where it is awaited, below.
  fed.catch(() => undefined);
  for await (const piece of deflate) yield chunk("IDAT", Buffer.from(piece));
  await fed;
  yield chunk("IEND", Buffer.alloc(0));
}

async function* filtered(rows: AsyncIterable<Uint8Array>, width: number, height: number): AsyncGenerator<Uint8Array> {
  const stride = 3 * width;
  let above = new Uint8Array(stride);
  let seen = 0;
  for await (const piece of rows) {
    const count = piece.length / stride;
    const out = new Uint8Array(count * (stride + 1));
    for (let row = 0; row < count; row++) {
      const from = row * stride;
      const to = row * (stride + 1);
      out[to] = filterUp;
      for (let at = 0; at < stride; at++) out[to + 1 + at] = (piece[from + at] ?? 0) - (above[at] ?? 0);
      above = piece.slice(from, from + stride);
    }
    seen += count;
    yield out;
  }
  if (seen !== height) throw new RangeError(`${seen} rows came for a picture of ${height}.`);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const out = Buffer.alloc(data.length + 12);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, "latin1");
  out.set(data, 8);
  out.writeUInt32BE(crc32(out.subarray(4, data.length + 8)), data.length + 8);
  return out;
}
