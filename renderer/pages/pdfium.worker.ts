import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium";
import wasmAddress from "@embedpdf/pdfium/pdfium.wasm?url";
import type { DrawerReply, DrawerRequest } from "./pdfiumMessages.ts";

/** PDFium's own numbers (fpdfview.h). */
const bitmapBgrx = 3;
const drawAnnotations = 0x01;
const reverseByteOrder = 0x10;
const white = 0xffffffff;

let library: Promise<WrappedPdfiumModule> | null = null;
let opened: { readonly pdfium: WrappedPdfiumModule; readonly document: number } | null = null;

function loadLibrary(): Promise<WrappedPdfiumModule> {
  library ??= fetch(wasmAddress)
    .then((response) => response.arrayBuffer())
    .then((wasmBinary) => init({ wasmBinary }))
    .then((pdfium) => {
      pdfium.PDFiumExt_Init();
      return pdfium;
    });
  return library;
}

function reply(message: DrawerReply, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}

async function open(bytes: Uint8Array, password: string | null): Promise<void> {
  const pdfium = await loadLibrary();
  // PDFium reads from this copy as long as the document is open; the worker ends with its document.
  const pointer = pdfium.pdfium.wasmExports.malloc(bytes.length);
  if (pointer === 0) throw new Error("no memory for the file");
  pdfium.pdfium.HEAPU8.set(bytes, pointer);
  const document = pdfium.FPDF_LoadMemDocument64(pointer, bytes.length, password ?? "");
  if (document === 0) throw new Error(`PDFium error ${pdfium.FPDF_GetLastError()}`);
  opened = { pdfium, document };
  reply({ kind: "opened", pages: pdfium.FPDF_GetPageCount(document) });
}

async function draw(id: number, page: number, width: number, height: number): Promise<void> {
  if (opened === null) throw new Error("no document is open");
  const { pdfium, document } = opened;
  const handle = pdfium.FPDF_LoadPage(document, page - 1);
  if (handle === 0) throw new Error(`PDFium error ${pdfium.FPDF_GetLastError()}`);
  try {
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, bitmapBgrx, 0, 0);
    if (bitmap === 0) throw new Error("no memory for the picture");
    try {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
      pdfium.FPDF_RenderPageBitmap(bitmap, handle, 0, 0, width, height, 0, drawAnnotations | reverseByteOrder);
      const pixels = opaqueCopy(
        pdfium.pdfium.HEAPU8,
        pdfium.FPDFBitmap_GetBuffer(bitmap),
        pdfium.FPDFBitmap_GetStride(bitmap),
        width,
        height,
      );
      const picture = await createImageBitmap(new ImageData(pixels, width, height));
      reply({ kind: "drawn", id, bitmap: picture }, [picture]);
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap);
    }
  } finally {
    pdfium.FPDF_ClosePage(handle);
  }
}

/** Rows without their padding. The fourth byte of this format is unused and may be 0, which would be transparent. */
function opaqueCopy(heap: Uint8Array, start: number, stride: number, width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    pixels.set(heap.subarray(start + row * stride, start + row * stride + width * 4), row * width * 4);
  }
  for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 255;
  return pixels;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

self.addEventListener("message", (message: MessageEvent<DrawerRequest>) => {
  const request = message.data;
  if (request.kind === "open") {
    open(request.bytes, request.password).catch((error: unknown) => reply({ kind: "not-opened", detail: textOf(error) }));
  } else {
    draw(request.id, request.page, request.width, request.height).catch((error: unknown) =>
      reply({ kind: "not-drawn", id: request.id, detail: textOf(error) }),
    );
  }
});
