import { readFile } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { iconPixels, iconSvg, sizes } from "../../../scripts/icon.mjs";

const file = (name: string) => readFile(new URL(`../../../assets/icons/${name}`, import.meta.url));

/** The rows of a PNG without filters, as they were before they were packed. */
function rowsOf(png: Buffer): { readonly width: number; readonly rows: Buffer } {
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return { width: png.readUInt32BE(16), rows: inflateSync(Buffer.concat(data)) };
}

describe("the app's icon", () => {
  it("is, as drawing and as pictures, what the script makes", async () => {
    expect((await file("longsight.svg")).toString("utf8")).toBe(iconSvg());
    // Drawing the largest takes seconds; it comes from the same lines.
    for (const size of sizes.filter((pixels) => pixels <= 128)) {
      const { width, rows } = rowsOf(await file(`longsight-${size}.png`));
      const pixels = Buffer.concat(
        Array.from({ length: size }, (_, row) => rows.subarray(row * (4 * size + 1) + 1, (row + 1) * (4 * size + 1))),
      );
      expect([width, Buffer.compare(pixels, Buffer.from(iconPixels(size)))]).toEqual([size, 0]);
    }
  });

  it("is clear at its corners, full in its middle, and smooth at its edge", () => {
    const pixels = iconPixels(64);
    const opacity = (row: number, column: number) => pixels[(row * 64 + column) * 4 + 3];
    expect([opacity(0, 0), opacity(32, 32)]).toEqual([0, 255]);
    expect(Array.from({ length: 64 }, (_, column) => opacity(4, column)).some((value) => value !== 0 && value !== 255)).toBe(true);
  });
});
