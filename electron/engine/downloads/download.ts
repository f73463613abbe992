import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { CatalogueModel } from "../../contract/catalogue.ts";
import type { StreamEvent } from "../../contract/engine.ts";
import { LongsightError } from "../../contract/errors.ts";
import { type Message, say } from "../../contract/said.ts";
import { startProgress } from "../progress.ts";
import { systemCode } from "../snapshots/recordFiles.ts";
import type { Catalogue } from "./catalogue.ts";
import { bytesOf, type Disk, dropPart, finishPart, hashOf, openPart, partOf, realDisk } from "./partFile.ts";
import { type Answer, get } from "./transport.ts";

export type DownloadOptions = {
  readonly catalogue: Catalogue;
  readonly folder: string;
  /** Aborting it pauses: what has arrived is kept, and the next try goes on behind it. */
  readonly signal: AbortSignal;
  readonly emit: (event: StreamEvent) => void;
  readonly disk?: Disk;
  /** Milliseconds to wait before each further try after a connection broke without a byte; their number is that of the tries. */
  readonly waitsMs?: readonly number[];
  /** Milliseconds of silence after which a connection counts as broken. */
  readonly silenceLimitMs?: number;
};

/** Bytes that a download leaves free on the disk. */
const reserveBytes = 64 * 1024 * 1024;
const defaultWaitsMs = [1000, 4000, 10_000];
const mostRedirections = 5;
const redirections: readonly number[] = [301, 302, 303, 307, 308];

/** The connection ended or never began: another try may help. */
class Broken extends Error {}

/**
 * Downloads a model of the catalogue: written beside its place, checked against length and SHA-256, renamed. Goes on behind what an
 * earlier try left where the server can, else begins anew.
 * @returns the path of the whole file, which nobody meets before it was checked
 * @throws LongsightError `cancelled` (what arrived is kept), `storage`, `model-download`
 */
export async function download(model: CatalogueModel, options: DownloadOptions): Promise<string> {
  const target = join(options.folder, model.file);
  await mkdir(options.folder, { recursive: true }).catch((error: unknown) => {
    throw storageProblem(model, error);
  });
  if ((await bytesOf(target)) === model.bytes) return target;
  if ((await bytesOf(partOf(target))) > model.bytes) await dropPart(target);
  await refuseFullDisk(model, target, options);
  if ((await bytesOf(partOf(target))) < model.bytes) await fetchRest(model, target, options);
  await verify(model, target, options);
  await finishPart(target).catch((error: unknown) => {
    throw storageProblem(model, error);
  });
  return target;
}

async function refuseFullDisk(model: CatalogueModel, target: string, { folder, disk = realDisk }: DownloadOptions): Promise<void> {
  const free = await disk.free(folder);
  const needed = model.bytes - (await bytesOf(partOf(target))) + reserveBytes;
  if (free === null || free >= needed) return;
  const sizes = { needed: megabytes(needed), free: megabytes(free) };
  throw new LongsightError("storage", say("downloadNoRoom", { model: model.name, ...sizes, folder }));
}

/** Tries until all is there, as long as each try brings something or there are tries left. */
async function fetchRest(model: CatalogueModel, target: string, options: DownloadOptions): Promise<void> {
  const { signal, waitsMs = defaultWaitsMs } = options;
  const start = await bytesOf(partOf(target));
  const progress = startProgress("download", model.bytes, options.emit, { from: start });
  let failures = 0;
  for (;;) {
    const before = await bytesOf(partOf(target));
    try {
      await fetchOnce(model, target, before, options, progress.update);
      return;
    } catch (error) {
      if (signal.aborted) throw paused(model);
      if (!(error instanceof Broken)) throw error;
      failures = (await bytesOf(partOf(target))) > before ? 0 : failures + 1;
      const wait = waitsMs[failures - 1] ?? null;
      if (failures > 0 && wait === null) throw unreachable(model, await bytesOf(partOf(target)), error);
      await pause(wait ?? 0, signal);
      if (signal.aborted) throw paused(model);
    }
  }
}

/** @throws Broken where another try may help */
async function fetchOnce(
  model: CatalogueModel,
  target: string,
  have: number,
  options: DownloadOptions,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const answer = await ask(model, have, options);
  try {
    const from = startOf(model, answer, have);
    if (from === null) {
      // What is there fits nothing that the server has: the next try begins anew.
      await dropPart(target);
      throw new Broken("the server has no such part");
    }
    await receive(model, answer, { target, from, onBytes, disk: options.disk ?? realDisk });
  } finally {
    answer.body.destroy();
  }
}

/** The server's answer, after where it passes the request on to; each address is one that the catalogue allows. */
async function ask(model: CatalogueModel, have: number, { catalogue, signal, silenceLimitMs }: DownloadOptions): Promise<Answer> {
  const headers: Record<string, string> = have > 0 ? { Range: `bytes=${have}-` } : {};
  let address = new URL(model.address);
  for (let step = 0; step <= mostRedirections; step++) {
    if (!catalogue.allows(model, address)) {
      throw failed(model, say("leadsElsewhere", { host: address.host }), address.href);
    }
    const answer = await get(address, headers, signal, silenceLimitMs).catch((error: unknown) => {
      throw new Broken(messageOf(error));
    });
    // A connection that breaks while nobody listens must not end the process.
    answer.body.on("error", () => undefined);
    const location = answer.header("location");
    if (!redirections.includes(answer.status) || location === null) return answer;
    answer.body.destroy();
    address = next(model, location, address);
  }
  throw failed(model, say("leadsWithoutEnd"));
}

function next(model: CatalogueModel, location: string, address: URL): URL {
  try {
    return new URL(location, address);
  } catch {
    throw failed(model, say("leadsNowhere"), location);
  }
}

/**
 * From which byte on an answer writes.
 * @returns null where what is there of the file is of no use
 */
function startOf(model: CatalogueModel, { status, header }: Answer, have: number): number | null {
  if (status === 200) {
    const length = header("content-length");
    if (length !== null && Number(length) !== model.bytes) {
      throw failed(model, say("serverHasOther", { found: length, expected: model.bytes }));
    }
    return 0;
  }
  if (status === 206) {
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header("content-range") ?? "");
    if (range === null || Number(range[1]) !== have) return null;
    if (range[2] === "*" || Number(range[2]) === model.bytes) return have;
    throw failed(model, say("serverHasOther", { found: range[2] ?? "", expected: model.bytes }));
  }
  if (status === 416 && have > 0) return null;
  if (status === 429 || status >= 500) throw new Broken(`the server answered ${status}`);
  const why = status === 404 || status === 410 ? say("serverHasNone") : say("serverRefused", { status });
  throw failed(model, why, `${status}`);
}

type Receiving = {
  readonly target: string;
  readonly from: number;
  readonly onBytes: (bytes: number) => void;
  readonly disk: Disk;
};

async function receive(model: CatalogueModel, { body }: Answer, { target, from, onBytes, disk }: Receiving): Promise<void> {
  const stored = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      throw storageProblem(model, error);
    });
  const file = await stored(openPart(partOf(target), from));
  let position = from;
  try {
    const pieces: AsyncIterable<Buffer> = body;
    for await (const piece of pieces) {
      if (position + piece.length > model.bytes) {
        throw failed(model, say("serverSentMore", { expected: model.bytes }));
      }
      await stored(disk.write(file, piece, position));
      position += piece.length;
      onBytes(position);
    }
  } catch (error) {
    throw error instanceof LongsightError ? error : new Broken(messageOf(error));
  } finally {
    await file.close();
  }
  if (position < model.bytes) throw new Broken(`the connection ended at byte ${position} of ${model.bytes}`);
}

/** A part that is not what the catalogue says is deleted: no later try could make it right. */
async function verify(model: CatalogueModel, target: string, { signal, emit }: DownloadOptions): Promise<void> {
  const progress = startProgress("verify", model.bytes, emit);
  const found = await hashOf(partOf(target), signal, progress.update).catch((error: unknown) => {
    throw storageProblem(model, error);
  });
  if (signal.aborted) throw paused(model);
  if (found === model.sha256) return;
  await dropPart(target);
  const detail = `SHA-256 ${found} instead of ${model.sha256}`;
  throw new LongsightError("model-download", say("downloadOtherFile", { model: model.name }), detail);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function paused(model: CatalogueModel): LongsightError {
  return new LongsightError("cancelled", say("downloadPaused", { model: model.name }));
}

function failed(model: CatalogueModel, why: Message, detail?: string): LongsightError {
  return new LongsightError("model-download", say("downloadFailed", { model: model.name, why }), detail);
}

function unreachable(model: CatalogueModel, have: number, error: Broken): LongsightError {
  const host = new URL(model.address).host;
  const said = { model: model.name, host };
  const message = have === 0 ? say("downloadUnreachable", said) : say("downloadBroken", { ...said, megabytes: megabytes(have) });
  return new LongsightError("model-download", message, error.message);
}

function storageProblem(model: CatalogueModel, error: unknown): LongsightError {
  if (error instanceof LongsightError) return error;
  const says = systemCode(error) === "ENOSPC" ? "downloadDiskFull" : "downloadNotWritten";
  return new LongsightError("storage", say(says, { model: model.name }), messageOf(error));
}
