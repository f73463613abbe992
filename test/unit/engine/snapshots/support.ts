import { createHash } from "node:crypto";
import * as fileSystem from "node:fs/promises";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SnapshotForm } from "../../../../electron/contract/snapshots.ts";
import { rootOf, type SnapshotIdentity } from "../../../../electron/engine/snapshots/keys.ts";
import type { RowContext } from "../../../../electron/engine/snapshots/promptSnapshots.ts";
import type { Disk } from "../../../../electron/engine/snapshots/recordFiles.ts";

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

export const identity: SnapshotIdentity = {
  model: hashOf("model"),
  template: hashOf("template"),
  kvType: "f16",
  form: "exact",
  build: "linux-x64-cpu-1",
  addonVersion: 3,
  variant: "zen4",
  gpu: null,
  contextLength: null,
};
export const root = rootOf(identity);

/** Tokens that are the same for the same seed, and no others for another. */
export function someTokens(count: number, seed = 1): Uint32Array {
  return Uint32Array.from({ length: count }, (_, index) => (Math.imul(index + 1, 2_654_435_761) ^ Math.imul(seed, 40_503)) >>> 8);
}

/** A token list with another beginning put before it. */
export function joined(...parts: readonly Uint32Array[]): Uint32Array {
  return Uint32Array.from(parts.flatMap((part) => [...part]));
}

export async function temporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "longsight snapshots Ž-"));
  return { folder: join(folder, "snapshots"), remove: () => rm(folder, { recursive: true, force: true }) };
}

export const systemError = (code: string): Error => Object.assign(new Error(`${code}: made up by a test`), { code });

/** The real file system, with some of its calls put in place. */
export const diskWith = (change: Partial<Disk>): Disk => ({ ...fileSystem, ...change });

/**
 * Stands in for a context: the row of a position depends on every token up to it, as keys and values do. What is written into it is held
 * against that, so that a wrong row never passes for a right one.
 */
export type FakeContext = RowContext & {
  decode(tokens: Uint32Array): void;
  readonly tokens: number;
  /** Whether each row, and the window, is what reading these tokens would have given. */
  isTrue(prompt: Uint32Array): boolean;
  /** What was asked of it: "read 0-512", "write 0-512", "window in", "window out". */
  readonly log: string[];
};

const bytesOf: Record<SnapshotForm, number> = { exact: 16, q8_0: 8 };

export function fakeContext({ windows = false, cells = 1 << 20 }: { windows?: boolean; cells?: number } = {}): FakeContext {
  const rows: string[] = [];
  let window: string | null = windows ? "" : null;
  const log: string[] = [];
  const rowAfter = (previous: string, token: number) => hashOf(`${previous} ${token}`).slice(0, 32);
  const windowAt = (row: string | undefined) => hashOf(`window ${row ?? ""}`);
  const truth = (prompt: Uint32Array): string[] => {
    const all: string[] = [];
    for (const token of prompt) all.push(rowAfter(all[all.length - 1] ?? "", token));
    return all;
  };
  return {
    log,
    get tokens() {
      return rows.length;
    },
    decode(tokens) {
      for (const token of tokens) rows.push(rowAfter(rows[rows.length - 1] ?? "", token));
      if (windows) window = windowAt(rows[rows.length - 1]);
    },
    truncate(position) {
      // As with llama.cpp, a window is of one moment: there is no way back but to the beginning.
      if (windows && position < rows.length && window !== "") rows.length = 0;
      rows.length = Math.min(rows.length, position);
      if (windows && rows.length === 0) window = "";
      return rows.length;
    },
    rowBytes: (form) => bytesOf[form],
    async readRows(start, end, form) {
      log.push(`read ${start}-${end}`);
      if (end > rows.length) throw new RangeError("rows that are not there");
      return Buffer.from(
        rows
          .slice(start, end)
          .map((row) => row.slice(0, bytesOf[form] * 2))
          .join(""),
        "hex",
      );
    },
    async writeRows(start, end, bytes, form) {
      if (start !== rows.length || bytes.byteLength !== (end - start) * bytesOf[form] || end > cells) throw new RangeError("refused");
      log.push(`write ${start}-${end}`);
      const text = Buffer.from(bytes).toString("hex");
      for (let at = 0; at < end - start; at++) rows.push(text.slice(at * bytesOf[form] * 2, (at + 1) * bytesOf[form] * 2));
    },
    async readWindow() {
      if (window === null) return null;
      log.push(`window out ${rows.length}`);
      return Buffer.from(window, "hex");
    },
    async writeWindow(bytes) {
      log.push("window in");
      window = Buffer.from(bytes).toString("hex");
    },
    isTrue(prompt) {
      const expected = truth(prompt.subarray(0, rows.length));
      return (
        rows.length <= prompt.length &&
        rows.every((row, at) => row === expected[at]) &&
        (!windows || rows.length === 0 || window === windowAt(expected[rows.length - 1]))
      );
    },
  };
}
