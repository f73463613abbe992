import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { type Message, say } from "../../contract/said.ts";

/** A GGUF's header as it stands in the file: metadata by its full key, and where the tensors lie. */
export type RawHeader = {
  readonly version: number;
  /** Scalars, and lists of up to {@link longestList} numbers; longer lists and those of texts (a vocabulary) are left out. */
  readonly metadata: ReadonlyMap<string, GgufScalar | readonly (number | bigint)[]>;
  /** The type of every value, left out or not, by its key. */
  readonly types: ReadonlyMap<string, GgufType>;
  /** In the file's order. */
  readonly tensors: readonly TensorInfo[];
  /** Byte of the file from which the tensors' offsets count. */
  readonly dataStart: number;
  /** See {@link HeaderOptions}; undefined where it was not asked for. */
  readonly tokenizerHash: string | undefined;
};
export type GgufScalar = string | number | bigint | boolean;

/** A tensor as the header announces it; nothing of it is checked but that the numbers are there. */
export type TensorInfo = {
  readonly name: string;
  /** ggml's number: 0 is F32, 1 is F16. */
  readonly type: number;
  /** ggml's order: the first is the one whose elements lie side by side. */
  readonly dimensions: readonly number[];
  /** Bytes from the header's `dataStart`. */
  readonly offset: number;
};

export type HeaderOptions = {
  /**
   * Also compute the hash by which a tokenizer is known: SHA-256 in hexadecimal over tokenizer.ggml.model, .pre, .tokens and .merges,
   * every text as its length in bytes (u32, little-endian) and its bytes, a list as its length and its texts, what is missing as empty.
   */
  readonly hashTokenizer?: boolean;
};

/** GGUF's types of values by their number. */
export type GgufType = (typeof typeNames)[number];
const typeNames = [
  "uint8",
  "int8",
  "uint16",
  "int16",
  "uint32",
  "int32",
  "float32",
  "boolean",
  "text",
  "list",
  "uint64",
  "int64",
  "float64",
] as const;
const textType = 8;

const longestList = 4096;
/** llama.cpp takes four dimensions at most, and no model comes near so many tensors. */
const mostDimensions = 4;
const mostTensors = 100_000;
/** No model's header comes near: a vocabulary of a million words takes some 20 MB. */
const mostBytes = 256 * 1024 * 1024;

class EndOfBytes extends Error {}

/** The file is of another format, which `holds` names where it can be told. */
export class NoGguf extends Error {
  readonly holds: Message | null;

  constructor(beginning: Buffer) {
    super("it does not begin with GGUF");
    this.holds = knownBeginning(beginning);
  }
}

/** The file is a GGUF of a version that is not read here. */
export class OtherVersion extends Error {}

/**
 * Reads a GGUF's header (versions 2 and 3) and nothing behind it. node-llama-cpp's reader takes what lies past the end of a file as
 * zeros and follows any count, so that a damaged header keeps it busy for ever; here every length is held against the bytes there are.
 * @throws Error saying what is wrong with the file
 */
export async function readRawHeader(path: string, options: HeaderOptions = {}): Promise<RawHeader> {
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
        return parseRawHeader(bytes.subarray(0, filled), options);
      } catch (error) {
        if (!(error instanceof EndOfBytes)) throw error;
        if (bytes.length < length) throw new Error(`the header does not end within ${bytes.length} bytes`);
      }
    }
  } finally {
    await file.close();
  }
}

function parseRawHeader(bytes: Buffer, { hashTokenizer = false }: HeaderOptions): RawHeader {
  const read = reader(bytes);
  if (bytes.length < 4 && "GGUF".startsWith(bytes.toString("latin1"))) throw new EndOfBytes();
  if (bytes.toString("latin1", 0, 4) !== "GGUF") throw new NoGguf(bytes);
  read.skip(4);
  const version = read.uint32();
  if (version !== 2 && version !== 3) throw new OtherVersion(`GGUF version ${version}`);
  const tensorCount = read.size();
  if (tensorCount > mostTensors) throw new Error(`${tensorCount} tensors`);
  const pairs = read.size();
  const metadata = new Map<string, GgufScalar | readonly (number | bigint)[]>();
  const types = new Map<string, GgufType>();
  const places = new Map<string, number>();
  for (let pair = 0; pair < pairs; pair++) {
    const key = read.text();
    const type = read.uint32();
    const typeName = typeNames[type];
    if (typeName === undefined) throw new Error(`a value of type ${type}`);
    // Which of the two llama.cpp would take is not ours to guess.
    if (types.has(key)) throw new Error(`the key ${key} is there twice`);
    types.set(key, typeName);
    places.set(key, read.position);
    const value = read.value(type);
    if (value !== undefined) metadata.set(key, value);
  }
  const tensors: TensorInfo[] = [];
  for (let tensor = 0; tensor < tensorCount; tensor++) {
    const name = read.text();
    const rank = read.uint32();
    if (rank > mostDimensions) throw new Error(`a tensor of ${rank} dimensions`);
    const dimensions = Array.from({ length: rank }, () => read.size());
    tensors.push({ name, dimensions, type: read.uint32(), offset: read.size() });
  }
  const alignment = Number(metadata.get("general.alignment") ?? 32) || 32;
  return {
    version,
    metadata,
    types,
    tensors,
    dataStart: Math.ceil(read.position / alignment) * alignment,
    tokenizerHash: hashTokenizer ? tokenizerHashOf(bytes, types, places) : undefined,
  };
}

function tokenizerHashOf(bytes: Buffer, types: ReadonlyMap<string, GgufType>, places: ReadonlyMap<string, number>): string {
  const hash = createHash("sha256");
  const lengthOf = (value: number) => {
    const field = Buffer.alloc(4);
    field.writeUInt32LE(value);
    return field;
  };
  /** A reader at the value; null where there is none. */
  const at = (key: string, type: GgufType) => {
    const place = places.get(key);
    if (place === undefined) return null;
    if (types.get(key) !== type) throw new Error(`${key} is no ${type}`);
    return reader(bytes, place);
  };
  for (const key of ["tokenizer.ggml.model", "tokenizer.ggml.pre"]) {
    const text = at(key, "text")?.bytes() ?? Buffer.alloc(0);
    hash.update(lengthOf(text.length)).update(text);
  }
  for (const key of ["tokenizer.ggml.tokens", "tokenizer.ggml.merges"]) {
    const read = at(key, "list");
    if (read !== null && read.uint32() !== textType) throw new Error(`${key} is no list of texts`);
    const length = read?.size() ?? 0;
    hash.update(lengthOf(length));
    if (read === null) continue;
    // Hashed in pieces: a call for each of half a million words would take longer than all the rest.
    const piece = Buffer.alloc(64 * 1024);
    let filled = 0;
    for (let item = 0; item < length; item++) {
      const text = read.bytes();
      if (filled + 4 + text.length > piece.length) {
        hash.update(piece.subarray(0, filled));
        filled = 0;
      }
      if (4 + text.length > piece.length) {
        hash.update(lengthOf(text.length)).update(text);
      } else {
        piece.writeUInt32LE(text.length, filled);
        text.copy(piece, filled + 4);
        filled += 4 + text.length;
      }
    }
    hash.update(piece.subarray(0, filled));
  }
  return hash.digest("hex");
}

/** What else is often taken for a model, by its first bytes. */
function knownBeginning(bytes: Buffer): Message | null {
  const text = bytes.toString("latin1", 0, 512).trimStart().toLowerCase();
  if (text.startsWith("<!doctype html") || text.startsWith("<html")) return say("holdsWebPage");
  if (text.startsWith("version https://git-lfs")) return say("holdsPointer");
  if (text.startsWith("pk\u0003\u0004")) return say("holdsZip");
  if (/^[^{]{8}\{"/.test(bytes.toString("latin1", 0, 16))) return say("holdsSafetensors");
  return ["tjgg", "fmgg", "lmgg"].some((magic) => text.startsWith(magic)) ? say("holdsOldModel") : null;
}

function reader(bytes: Buffer, start = 0) {
  let position = start;
  const skip = (length: number) => {
    if (position + length > bytes.length) throw new EndOfBytes();
    position += length;
    return position - length;
  };
  const uint32 = () => bytes.readUInt32LE(skip(4));
  const size = () => Number(bytes.readBigUInt64LE(skip(8)));
  const textBytes = () => {
    const length = size();
    const from = skip(length);
    return bytes.subarray(from, from + length);
  };
  const text = () => textBytes().toString("utf8");
  // By GGUF's value types, see typeNames.
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
    if (type === textType) {
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
    /** A text as its bytes, not copied. */
    bytes: textBytes,
    /** The next value; undefined for a list that is left out. */
    value(type: number): GgufScalar | (number | bigint)[] | undefined {
      if (type === textType) return text();
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
