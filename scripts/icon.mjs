// Draws the app's icon: node scripts/icon.mjs. The same shapes become assets/icons/longsight.svg and PNG files of several sizes.
// Design and code are Longsight's own (MIT).
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import { root, writeWhole } from "./files.mjs";

const folder = join(root, "assets", "icons");

/** Pixels of a side: task bars, docks, and what desktops scale from. */
export const sizes = [16, 32, 64, 128, 256, 512];

/** Side of the drawing that the shapes are given in. */
const side = 64;

/**
 * Rounded rectangles from the back to the front: a page on a desk, its lines shaded by importance; few of them are kept, and those reach
 * far down the page.
 */
const shapes = [
  { x: 2, y: 2, width: 60, height: 60, radius: 14, colour: "#1d5fbf" },
  { x: 14, y: 10, width: 36, height: 44, radius: 4, colour: "#ffffff" },
  { x: 20, y: 17, width: 24, height: 4, radius: 2, colour: "#f0c674" },
  { x: 20, y: 25, width: 18, height: 4, radius: 2, colour: "#dcdcd8" },
  { x: 20, y: 33, width: 24, height: 4, radius: 2, colour: "#dcdcd8" },
  { x: 20, y: 41, width: 14, height: 4, radius: 2, colour: "#d08a1c" },
  { x: 37, y: 41, width: 7, height: 4, radius: 2, colour: "#dcdcd8" },
];

/** @returns {string} the drawing as SVG */
export function iconSvg() {
  const rectangles = shapes.map(
    ({ x, y, width, height, radius, colour }) =>
      `  <rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${colour}" />`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" role="img">`,
    "  <title>Longsight</title>",
    ...rectangles,
    "</svg>",
    "",
  ].join("\n");
}

const coloursOf = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

function covers({ x, y, width, height, radius }, px, py) {
  const dx = Math.max(x + radius - px, px - (x + width - radius), 0);
  const dy = Math.max(y + radius - py, py - (y + height - radius), 0);
  return px >= x && px <= x + width && py >= y && py <= y + height && dx * dx + dy * dy <= radius * radius;
}

/** Places within a pixel that are looked at, along each axis: what an edge cuts becomes a shade. */
const samples = 4;

/**
 * @param {number} size pixels of a side
 * @returns {Uint8Array} red, green, blue and opacity of each pixel, row by row from the top
 */
export function iconPixels(size) {
  const pixels = new Uint8Array(size * size * 4);
  const step = side / size / samples;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const sum = [0, 0, 0];
      let hits = 0;
      for (let place = 0; place < samples * samples; place += 1) {
        const px = (column * samples + (place % samples) + 0.5) * step;
        const py = (row * samples + Math.floor(place / samples) + 0.5) * step;
        const shape = shapes.findLast((candidate) => covers(candidate, px, py));
        if (!shape) continue;
        hits += 1;
        for (const [index, colour] of coloursOf(shape.colour).entries()) sum[index] += colour;
      }
      const opacity = Math.round((255 * hits) / (samples * samples));
      pixels.set([...sum.map((colour) => (hits === 0 ? 0 : Math.round(colour / hits))), opacity], (row * size + column) * 4);
    }
  }
  return pixels;
}

function chunk(type, data) {
  const out = Buffer.alloc(data.length + 12);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, "latin1");
  out.set(data, 8);
  out.writeUInt32BE(crc32(out.subarray(4, data.length + 8)), data.length + 8);
  return out;
}

/**
 * A picture with opacity as PNG (third edition, W3C 2025): 8 bits a colour, no filter.
 * @param {Uint8Array} pixels as {@link iconPixels} gives them
 */
export function encodeIcon(pixels, size) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6], 8);
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let row = 0; row < size; row += 1) rows.set(pixels.subarray(row * size * 4, (row + 1) * size * 4), row * (size * 4 + 1) + 1);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(folder, { recursive: true });
  await writeWhole(join(folder, "longsight.svg"), iconSvg());
  for (const size of sizes) await writeWhole(join(folder, `longsight-${size}.png`), encodeIcon(iconPixels(size), size));
  console.log(folder);
}
