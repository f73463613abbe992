import { open } from "node:fs/promises";

/** A GGUF's header as it stands in the file: metadata by its full key, and where the tensors lie. */
export type RawHeader = {
  /** Scalars, and lists of up to {@link longestList} numbers; longer lists and those of texts (a vocabulary) are left out. */
  readonly metadata: ReadonlyMap<string, GgufScalar | readonly (number | bigint)[]>;
  readonly tensors: number;
  /** Byte of the file at which the tensor that lies last begins. */
  readonly lastTensorStart: number;
};
export type GgufScalar = string | number | bigint | boolean;

const longestList = 4096;
/** No model's header comes near: a vocabulary of a million words takes some 20 MB. */
const mostBytes = 256 * 1024 * 1024;

class EndOfBytes extends Error {}

/**
 * Reads a GGUF's header (versions 2 and 3) and nothing behind it. node-llama-cpp's reader takes what lies past the end of a file as
 * zeros and follows any count, so that a damaged header keeps it busy for ever; here every length is held against the bytes there are.
 * @throws Error saying what is wrong with the file
 */
export async function readRawHeader(path: string): Promise<RawHeader> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    for (let length = 2 * 1024 * 1024; ; length *= 4) {
      const bytes = Buffer.alloc(Math.min(length, size, mostBytes));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      try {
        return parseRawHeader(bytes.subarray(0, filled));
      } catch (error) {
        if (!(error instanceof EndOfBytes)) throw error;
        if (bytes.length < length) throw new Error(`the header does not end within ${bytes.length} bytes`);
      }
    }
  } finally {
    await file.close();
  }
}

function parseRawHeader(bytes: Buffer): RawHeader {
  const read = reader(bytes);
  if (bytes.length < 4 || bytes.toString("latin1", 0, 4) !== "GGUF") throw new Error("it does not begin with GGUF");
  read.skip(4);
  const version = read.uint32();
  if (version !== 2 && version !== 3) throw new Error(`GGUF version ${version}`);
  const tensors = read.size();
  const pairs = read.size();
  const metadata = new Map<string, GgufScalar | readonly (number | bigint)[]>();
  for (let pair = 0; pair < pairs; pair++) {
    const key = read.text();
    const value = read.value(read.uint32());
    if (value !== undefined) metadata.set(key, value);
  }
  let lastOffset = 0;
  for (let tensor = 0; tensor < tensors; tensor++) {
    read.skip(read.size());
    read.skip(read.uint32() * 8 + 4);
    lastOffset = Math.max(lastOffset, read.size());
  }
  const alignment = Number(metadata.get("general.alignment") ?? 32) || 32;
  return { metadata, tensors, lastTensorStart: Math.ceil(read.position / alignment) * alignment + lastOffset };
}

function reader(bytes: Buffer) {
  let position = 0;
  const skip = (length: number) => {
    if (position + length > bytes.length) throw new EndOfBytes();
    position += length;
    return position - length;
  };
  const uint32 = () => bytes.readUInt32LE(skip(4));
  const size = () => Number(bytes.readBigUInt64LE(skip(8)));
  const text = () => {
    const length = size();
    const from = skip(length);
    return bytes.toString("utf8", from, from + length);
  };
  // By GGUF's value types 0 … 12; 8 is a text, 9 a list.
  const numbers: Readonly<Record<number, { width: number; at: (from: number) => number | bigint }>> = {
    0: { width: 1, at: (from) => bytes.readUInt8(from) },
    1: { width: 1, at: (from) => bytes.readInt8(from) },
    2: { width: 2, at: (from) => bytes.readUInt16LE(from) },
    3: { width: 2, at: (from) => bytes.readInt16LE(from) },
    4: { width: 4, at: (from) => bytes.readUInt32LE(from) },
    5: { width: 4, at: (from) => bytes.readInt32LE(from) },
    6: { width: 4, at: (from) => bytes.readFloatLE(from) },
    7: { width: 1, at: (from) => bytes.readUInt8(from) },
    10: { width: 8, at: (from) => bytes.readBigUInt64LE(from) },
    11: { width: 8, at: (from) => bytes.readBigInt64LE(from) },
    12: { width: 8, at: (from) => bytes.readDoubleLE(from) },
  };
  const list = () => {
    const type = uint32();
    const length = size();
    if (type === 8) {
      for (let item = 0; item < length; item++) skip(size());
      return undefined;
    }
    const number = numbers[type];
    if (number === undefined) throw new Error(`a list of type ${type}`);
    const from = skip(length * number.width);
    return length > longestList ? undefined : Array.from({ length }, (_, item) => number.at(from + item * number.width));
  };
  return {
    skip,
    uint32,
    size,
    text,
    /** The next value; undefined for a list that is left out. */
    value(type: number): GgufScalar | (number | bigint)[] | undefined {
      if (type === 8) return text();
      if (type === 9) return list();
      const number = numbers[type];
      if (number === undefined) throw new Error(`a value of type ${type}`);
      const value = number.at(skip(number.width));
      return type === 7 ? value !== 0 : value;
    },
    get position() {
      return position;
    },
  };
}
