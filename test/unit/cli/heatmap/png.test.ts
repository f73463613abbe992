import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { encodePng } from "../../../../electron/cli/heatmap/png.ts";

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Bit by bit, as the specification has it in its appendix. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}

/** Reads a PNG of eight-bit colours whose rows are filtered "up". */
function decode(png: Buffer) {
  expect([...png.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crcOf(png.subarray(at + 4, at + 8 + length)));
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  const header = chunks[0]?.data ?? Buffer.alloc(0);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const raw = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data)));
  const pixels: number[] = [];
  for (let row = 0; row < height; row++) {
    expect(raw[row * (3 * width + 1)]).toBe(2);
    for (let at = 0; at < 3 * width; at++) {
      const above = row === 0 ? 0 : (pixels[(row - 1) * 3 * width + at] ?? 0);
      pixels.push(((raw[row * (3 * width + 1) + 1 + at] ?? 0) + above) & 255);
    }
  }
  const text = chunks.find(({ type }) => type === "iTXt")?.data.toString("utf8");
  return {
    width,
    height,
    depth: header[8],
    colour: header[9],
    pixels,
    text,
    types: chunks.map(({ type }) => type),
    left: raw.length - height * (3 * width + 1),
  };
}

async function* piecesOf(...pieces: readonly Uint8Array[]) {
  yield* pieces;
}

describe("encodePng", () => {
  it("gives back every pixel, whatever the pieces of rows", async () => {
    const [width, height] = [13, 700];
    const pixels = Uint8Array.from({ length: 3 * width * height }, (_, index) => (index * index * 31) >> 3);
    const cut = 3 * width * 500;
    const png = await bytesOf(
      encodePng({ width, height, description: "é", rows: piecesOf(pixels.subarray(0, cut), pixels.subarray(cut)) }),
    );
    const decoded = decode(png);
    expect(decoded).toMatchObject({ width, height, depth: 8, colour: 2, left: 0, text: "Description\0\0\0\0\0é" });
    expect(decoded.pixels).toEqual([...pixels]);
    expect([decoded.types[0], decoded.types[1], decoded.types[decoded.types.length - 1]]).toEqual(["IHDR", "iTXt", "IEND"]);
  });

  it("leaves nothing behind while it waits for the compressor, so that Node has nothing to warn of", async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on("warning", listen);
    const [width, rows] = [500, 200];
    const noise = Uint8Array.from({ length: 3 * width * rows }, (_, index) => (index * index * 31) >> 3);
    await bytesOf(encodePng({ width, height: 24 * rows, description: "", rows: piecesOf(...new Array<Uint8Array>(24).fill(noise)) }));
    // Warnings come a tick later.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", listen);
    expect(warnings).toEqual([]);
  });

  it("ends what makes the rows where its reader goes away", async () => {
    let ended = false;
    async function* endless() {
      try {
        for (;;) yield Uint8Array.from({ length: 30_000 }, (_, index) => (index * index * 31) >> 3);
      } finally {
        ended = true;
      }
    }
    for await (const piece of encodePng({ width: 1000, height: 1e6, description: "", rows: endless() })) if (piece.length > 5000) break;
    await expect.poll(() => ended).toBe(true);
  });

  it("passes on what went wrong with the rows", async () => {
    async function* failing() {
      yield new Uint8Array(3 * 4);
      throw new Error("the page could not be drawn");
    }
    await expect(bytesOf(encodePng({ width: 4, height: 2, description: "", rows: failing() }))).rejects.toThrow("could not be drawn");
    await expect(bytesOf(encodePng({ width: 4, height: 2, description: "", rows: piecesOf(new Uint8Array(12)) }))).rejects.toThrow(
      RangeError,
    );
  });
});
