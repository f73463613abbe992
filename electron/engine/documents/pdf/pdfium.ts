import { readFileSync } from "node:fs";
import { init } from "@embedpdf/pdfium";
import { z } from "zod";
import { textOfCodePoint } from "../layout/characters.ts";
import { asTurn, type Glyph } from "../layout/glyph.ts";
import type { WorkerFailure } from "./protocol.ts";

/** Node's types have no `Memory`; this is the part of it that is used, and its buffer's size is all that is read. */
declare const WebAssembly: { readonly Memory: { readonly prototype: GrowingMemory } };
type GrowingMemory = { grow(this: GrowingMemory, pages: number): number; readonly buffer: ArrayBuffer };

/** The view of PDFium's memory, which the package's types leave out. Growing the memory replaces it. */
const memorySchema = z.object({ HEAPU8: z.instanceof(Uint8Array) });

/** The functions that are called for every character, without the package's wrapper around them: it takes longer than they do. */
type CharacterFunctions = {
  readonly FPDFText_GetUnicode: (text: number, index: number) => number;
  readonly FPDFText_GetCharBox: (text: number, index: number, left: number, right: number, bottom: number, top: number) => number;
  readonly FPDFText_GetLooseCharBox: (text: number, index: number, box: number) => number;
  readonly FPDFText_GetCharAngle: (text: number, index: number) => number;
};

function hasCharacterFunctions(exported: object): exported is CharacterFunctions {
  const names = ["FPDFText_GetUnicode", "FPDFText_GetCharBox", "FPDFText_GetLooseCharBox", "FPDFText_GetCharAngle"];
  return names.every((name) => typeof Reflect.get(exported, name) === "function");
}

/** PDFium's reason for not opening a file or page. */
export class PdfFailure extends Error {
  readonly reason: WorkerFailure;

  constructor(reason: WorkerFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** FPDF_GetLastError's codes, by fpdfview.h. */
const passwordError = 4;
const securityError = 5;

/** Numbers of fpdfview.h: four bytes a pixel of which the last is unused, annotations drawn too, red first, opaque white. */
const bitmapOfFour = 3;
const drawAnnotations = 0x01;
const redFirst = 0x10;
const white = 0xffffffff;

/** Size in points of a page that PDFium cannot read: it does not matter, but there must be one. */
export const unreadableSize = { width: 595, height: 842 } as const;

/** A page's glyphs in PDFium's order, and its size in points as shown. */
export type PageGlyphs = { readonly glyphs: readonly Glyph[]; readonly width: number; readonly height: number; readonly rotated: boolean };

export type PdfDocument = {
  readonly pages: number;
  /** True where the file asked for a password. */
  readonly locked: boolean;
  /** Width and height of each page in points, as shown, without reading the pages; null where that takes longer than the milliseconds given. */
  sizes(limitMs: number): Float32Array<ArrayBuffer> | null;
  /** Glyphs of a 1-based page, or null where PDFium cannot read the page. */
  glyphsOf(page: number): PageGlyphs | null;
  /** A 1-based page as shown, stretched to so many pixels: red, green and blue of each. Null where PDFium cannot read the page. */
  draw(page: number, width: number, height: number): Uint8Array<ArrayBuffer> | null;
};

/**
 * Opens a PDF from its bytes. PDFium's memory grows through `WebAssembly.Memory.grow`, which is where its limit is kept.
 * @param onMemory called once, when PDFium asks for more than `memoryLimitBytes`.
 * @throws PdfFailure when it cannot be opened.
 */
export async function openPdf(
  bytes: Uint8Array,
  password: string,
  options: { wasmPath: string; memoryLimitBytes: number; onMemory: () => void },
): Promise<PdfDocument> {
  limitMemory(options.memoryLimitBytes, options.onMemory);
  const wasm = readFileSync(options.wasmPath);
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength);
  const silent = (): void => undefined;
  const module = await init({ wasmBinary, print: silent, printErr: silent });
  module.PDFiumExt_Init();
  const { pdfium } = module;
  const exported: object = pdfium.wasmExports;
  if (!hasCharacterFunctions(exported)) throw new Error("this build of PDFium lacks functions for text");
  const allocate = (size: number): number => {
    const address = pdfium.wasmExports.malloc(size);
    if (address === 0) throw new PdfFailure("memory", `PDFium has no room for ${size} bytes`);
    return address;
  };
  const file = allocate(bytes.byteLength);
  memorySchema.parse(pdfium).HEAPU8.set(bytes, file);

  const load = (tried: string): number => module.FPDF_LoadMemDocument(file, bytes.byteLength, tried);
  let locked = false;
  let document = load("");
  if (document === 0 && module.FPDF_GetLastError() === passwordError) {
    locked = true;
    // Revision 6 asks for passwords in SASLprep's form, which for what people type is NFKC without soft hyphens.
    for (const tried of new Set([password, password.normalize("NFKC").replace(/\u00ad/g, "")])) {
      document = tried === "" ? 0 : load(tried);
      if (document !== 0) break;
    }
    if (document === 0) throw new PdfFailure("password", "FPDF_LoadMemDocument: password");
  }
  if (document === 0) {
    const code = module.FPDF_GetLastError();
    throw new PdfFailure(code === securityError ? "encryption" : "damaged", `FPDF_LoadMemDocument: error ${code}`);
  }
  const pages = module.FPDF_GetPageCount(document);
  if (pages < 1) throw new PdfFailure("damaged", "no page can be found in it");

  // Four doubles for a tight box, then four floats for a loose one or a page's bounding box.
  const room = allocate(64);
  let memory = new DataView(memorySchema.parse(pdfium).HEAPU8.buffer);
  const view = (): DataView => {
    if (memory.buffer.byteLength === 0) memory = new DataView(memorySchema.parse(pdfium).HEAPU8.buffer);
    return memory;
  };
  const double = (index: number): number => view().getFloat64(room + 8 * index, true);
  const float = (index: number): number => view().getFloat32(room + 32 + 4 * index, true);

  const sizes = (limitMs: number): Float32Array<ArrayBuffer> | null => {
    const end = performance.now() + limitMs;
    const all = new Float32Array(2 * pages);
    for (let index = 0; index < pages; index += 1) {
      if (performance.now() > end) return null;
      const found = module.FPDF_GetPageSizeByIndexF(document, index, room + 32);
      all.set(found ? [Math.max(float(0), 1), Math.max(float(1), 1)] : [unreadableSize.width, unreadableSize.height], 2 * index);
    }
    return all;
  };

  const glyphsOf = (number: number): PageGlyphs | null => {
    const page = module.FPDF_LoadPage(document, number - 1);
    if (page === 0) return null;
    const text = module.FPDFText_LoadPage(page);
    try {
      const rotation = asTurn(module.FPDFPage_GetRotation(page));
      const width = module.FPDF_GetPageWidthF(page);
      const height = module.FPDF_GetPageHeightF(page);
      const bounded = module.FPDF_GetPageBoundingBox(page, room + 32);
      const frame = bounded
        ? { left: float(0), top: float(1), right: float(2), bottom: float(3) }
        : { left: 0, top: rotation % 2 === 0 ? height : width, right: rotation % 2 === 0 ? width : height, bottom: 0 };
      const glyphs = text === 0 ? [] : readGlyphs(text, rotation, frame);
      return { glyphs, width: Math.max(width, 1), height: Math.max(height, 1), rotated: rotation !== 0 };
    } finally {
      if (text !== 0) module.FPDFText_ClosePage(text);
      module.FPDF_ClosePage(page);
    }
  };

  const readGlyphs = (text: number, rotation: number, frame: Frame): Glyph[] => {
    const count = module.FPDFText_CountChars(text);
    const glyphs: Glyph[] = [];
    for (let index = 0; index < count; index += 1) {
      let code = exported.FPDFText_GetUnicode(text, index);
      if (code >= 0xd800 && code < 0xdc00 && index + 1 < count) {
        const low = exported.FPDFText_GetUnicode(text, index + 1);
        if (low >= 0xdc00 && low < 0xe000) {
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
          index += 1;
        }
      }
      const hyphen = (code === 2 || code === 0xfffe) && module.FPDFText_IsHyphen(text, index) === 1;
      const characters = hyphen ? "-" : textOfCodePoint(code);
      if (characters === "") continue;
      exported.FPDFText_GetCharBox(text, index, room, room + 8, room + 16, room + 24);
      let box = { left: double(0), right: double(1), bottom: double(2), top: double(3) };
      const added = characters === "\n" || (characters === " " && box.right <= box.left);
      let turn = rotation;
      if (!added) {
        // Counter-clockwise in the page's own frame, in radians.
        const quarters = Math.round(exported.FPDFText_GetCharAngle(text, index) / (Math.PI / 2));
        turn += quarters;
        // The loose box is as high as the font's lines are, so that the marks on a line are even; PDFium has it for upright text only.
        if (quarters % 4 === 0 && exported.FPDFText_GetLooseCharBox(text, index, room + 32) !== 0) {
          const loose = { left: float(0), top: float(1), right: float(2), bottom: float(3) };
          // A font may say less of its height than its letters have.
          if (isLooseAround(loose, box)) box = { ...loose, top: Math.max(loose.top, box.top), bottom: Math.min(loose.bottom, box.bottom) };
        }
      }
      glyphs.push({ text: characters, ...asShown(box, frame, rotation), turn: asTurn(turn), added, hyphen });
    }
    return glyphs;
  };

  const draw = (number: number, width: number, height: number): Uint8Array<ArrayBuffer> | null => {
    const page = module.FPDF_LoadPage(document, number - 1);
    if (page === 0) return null;
    const bitmap = module.FPDFBitmap_CreateEx(width, height, bitmapOfFour, 0, 0);
    try {
      if (bitmap === 0) throw new PdfFailure("memory", `PDFium has no room for a picture of ${width} × ${height}`);
      module.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
      module.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, drawAnnotations | redFirst);
      const start = module.FPDFBitmap_GetBuffer(bitmap);
      const stride = module.FPDFBitmap_GetStride(bitmap);
      const heap = memorySchema.parse(pdfium).HEAPU8;
      const pixels = new Uint8Array(width * height * 3);
      let place = 0;
      for (let row = 0; row < height; row += 1) {
        for (let from = start + row * stride; from < start + row * stride + 4 * width; from += 4) {
          for (let colour = 0; colour < 3; colour += 1) pixels[place++] = heap[from + colour] ?? 0;
        }
      }
      return pixels;
    } finally {
      if (bitmap !== 0) module.FPDFBitmap_Destroy(bitmap);
      module.FPDF_ClosePage(page);
    }
  };

  return { pages, locked, sizes, glyphsOf, draw };
}

/** A box in the page's own frame: y grows upwards. */
type Frame = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

function isLooseAround(loose: Frame, box: Frame): boolean {
  const height = loose.top - loose.bottom;
  if (!(loose.right > loose.left && height > 0)) return false;
  const middle = (box.top + box.bottom) / 2;
  // Fonts with nonsense for ascent and descent give boxes of several lines.
  return middle >= loose.bottom && middle <= loose.top && height <= 4 * Math.max(box.top - box.bottom, loose.right - loose.left);
}

/** From the page's own frame to the page as shown: origin at the top left of the crop box, turned by /Rotate (quarter turns clockwise). */
function asShown(box: Frame, frame: Frame, rotation: number): { left: number; top: number; right: number; bottom: number } {
  if (rotation === 0) {
    return { left: box.left - frame.left, right: box.right - frame.left, top: frame.top - box.top, bottom: frame.top - box.bottom };
  }
  if (rotation === 1) {
    return { left: box.bottom - frame.bottom, right: box.top - frame.bottom, top: box.left - frame.left, bottom: box.right - frame.left };
  }
  if (rotation === 2) {
    return { left: frame.right - box.right, right: frame.right - box.left, top: box.bottom - frame.bottom, bottom: box.top - frame.bottom };
  }
  return { left: frame.top - box.top, right: frame.top - box.bottom, top: frame.right - box.right, bottom: frame.right - box.left };
}

/** Refuses to let any WebAssembly memory of this thread grow past the limit. This thread runs nothing else. */
function limitMemory(limitBytes: number, onMemory: () => void): void {
  const pageBytes = 65_536;
  const memory = WebAssembly.Memory.prototype;
  const { grow } = memory;
  memory.grow = function limited(this: GrowingMemory, pages: number): number {
    if (this.buffer.byteLength + pages * pageBytes > limitBytes) {
      onMemory();
      throw new RangeError("PDFium's memory limit");
    }
    return grow.call(this, pages);
  };
}
