import { expect, it } from "vitest";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import { gatherStored } from "../../../../electron/engine/conversation/gatherStored.ts";
import { keepAll } from "../../../../electron/engine/lookahead/select.ts";

// One layer with one head: what is kept is of two tokens, of which the first is stored.
const shape = { layers: 1, heads: 1, tokens: 2 };
const stored = { chunks: [], tokens: 1, storedTokens: 1, window: null };
const call = { signal: new AbortController().signal, emit: () => undefined };

function gather(headBytes: number, writeKept: (bytes: Uint8Array) => Promise<void>): Promise<boolean> {
  const ofHead = { keys: headBytes, values: headBytes };
  const loaded = {
    model: { header: { headBytes: { f16: ofHead, q8_0: ofHead, q4_0: ofHead } } },
    description: { kvType: "f16" },
  } as const;
  const rows = {
    snapshots: {
      async read(_stored: unknown, _rowBytes: number, _options: unknown, take: (start: number, rows: Uint8Array) => void) {
        take(0, new Uint8Array(2 * headBytes));
        return true;
      },
    },
    stored,
    tail: { prompt: Uint32Array.of(1, 2), start: 1, rows: new Uint8Array(headBytes <= 64 ? 2 * headBytes : 0), fullCacheBytes: 1 },
  };
  const small = {
    shape: () => ({
      ...shape,
      tokens: 0,
      cells: 32,
      kept: false,
      layerCells: Uint32Array.of(32),
      layerTokens: Uint32Array.of(0),
    }),
    rowBytes: () => 2 * headBytes,
    writeKept,
  };
  return gatherStored(loaded, rows, small, keepAll(shape), call);
}

it("fills a cache", async () => {
  let written = 0;
  expect(
    await gather(64, async (bytes) => {
      written = bytes.byteLength;
    }),
  ).toBe(true);
  expect(written).toBe(4 * (4 + 1 + 32) + 2 * 128);
});

it("leaves what one array cannot hold to a full cache", async () => {
  expect(await gather(2 ** 40, async () => undefined)).toBe(false);
});

it("leaves what the cache does not take to a full one, but not a want of memory", async () => {
  const refusing = (code: "engine-failed" | "model-memory") => () => Promise.reject(new LongsightError(code, "It does not fit."));
  expect(await gather(64, refusing("engine-failed"))).toBe(false);
  await expect(gather(64, refusing("model-memory"))).rejects.toMatchObject({ code: "model-memory" });
});
