import type { Pixels } from "./marks.ts";

/** Digits, five pixels wide and seven high, a row of bits each; there is no font at hand. */
const glyphs: Readonly<Record<string, readonly number[]>> = {
  "0": [14, 17, 19, 21, 25, 17, 14],
  "1": [4, 12, 4, 4, 4, 4, 14],
  "2": [14, 17, 1, 2, 4, 8, 31],
  "3": [31, 2, 4, 2, 1, 17, 14],
  "4": [2, 6, 10, 18, 31, 2, 2],
  "5": [31, 16, 30, 1, 1, 17, 14],
  "6": [6, 8, 16, 30, 17, 17, 14],
  "7": [31, 1, 2, 4, 8, 8, 8],
  "8": [14, 17, 17, 14, 17, 17, 14],
  "9": [14, 17, 17, 15, 1, 2, 12],
  "/": [1, 1, 2, 4, 8, 16, 16],
};

const zoom = 2;
const background = 0xe4;
const ink = 0x40;
/** Pixels of a caption's height. */
export const captionHeight = 11 * zoom;

/** A strip with a number in it: digits and slashes. */
export function caption(text: string, width: number): Pixels {
  const data = new Uint8Array(3 * width * captionHeight).fill(background);
  [...text].forEach((character, index) => {
    const rows = glyphs[character] ?? [];
    rows.forEach((bits, y) => {
      for (let x = 0; x < 5; x++) if (((bits >> (4 - x)) & 1) === 1) dot(data, width, (6 * index + x + 3) * zoom, (y + 2) * zoom);
    });
  });
  return { data, width, height: captionHeight };
}

function dot(data: Uint8Array, width: number, left: number, top: number): void {
  const right = Math.min(width, left + zoom);
  for (let y = top; y < top + zoom; y++) if (left < right) data.fill(ink, 3 * (y * width + left), 3 * (y * width + right));
}
