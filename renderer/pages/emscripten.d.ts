/** The part of Emscripten's types that PDFium's own declarations name, without the package that has them all. */
interface EmscriptenModule {
  wasmBinary: ArrayBuffer;
  /** Renewed whenever memory grows: read it anew before each use. */
  HEAPU8: Uint8Array<ArrayBuffer>;
}
declare function UTF16ToString(pointer: number): string;
declare function UTF8ToString(pointer: number, length?: number): string;
declare function addFunction(callback: (...values: number[]) => unknown, signature: string): number;
declare function ccall(name: string, returns: string | null, types: string[], values: unknown[]): unknown;
declare function cwrap(name: string, returns: string | null, types: string[]): (...values: unknown[]) => unknown;
declare function getValue(pointer: number, type: string): number;
declare function removeFunction(pointer: number): void;
declare function setValue(pointer: number, value: number, type: string): void;
declare function stringToUTF16(text: string, pointer: number, bytes: number): void;
declare function stringToUTF8(text: string, pointer: number, bytes: number): void;
