import type { KeptTokens } from "../lookahead/scores.ts";
import type { CacheShape } from "./context.ts";

// A kept cache as bytes, made from rows instead of from another cache: ModelContext.writeKept takes it. What native/patches/0008-rows.patch
// reads (write_image), little-endian: cells, layers, where to look for a free cell, next position (u32 each) · cells of each layer (u32) ·
// label of each cell (i32, -1 for none) · for each layer the keys of its used cells, then their values.

/** Bytes of one token's keys, and of its values, in one KV head: the same in every layer. */
export type HeadBytes = { readonly keys: number; readonly values: number };

export type KeptImage = {
  /**
   * Takes what is kept out of the rows of some positions, as ModelContext.readRows gives them, exact. Positions that were gone through
   * before are passed over.
   * @param start position of the first
   * @param until position before which rows count
   */
  add(start: number, rows: Uint8Array, until: number): void;
  /** The whole image. To be called once every kept token was added. */
  readonly bytes: Uint8Array;
};

const noLabel = -1;

/**
 * @param kept tokens of a prompt that stands in rows from position 0 on
 * @param shape of the empty context that will take the image, made with as many cells as `kept` needs
 * @throws RangeError where no array can be so long
 */
export function createKeptImage(kept: KeptTokens, { cells, layerCells }: CacheShape, headBytes: HeadBytes): KeptImage {
  const { layers, heads, tokens, budgets, indices } = kept;
  const rowBytes = { keys: heads * headBytes.keys, values: heads * headBytes.values };
  const headWords = 4 + layers + cells;
  const rows = budgets.reduce((sum, budget) => sum + budget, 0);
  const bytes = new Uint8Array(headWords * Uint32Array.BYTES_PER_ELEMENT + rows * (rowBytes.keys + rowBytes.values));

  const most = Math.max(...budgets);
  const isUneven = layerCells.some((own) => own !== cells);
  // As native/patches/0009-layers.patch keeps (llama_kv_cache::keep): from the first cell on; where layers have different cells, behind those
  // that all of them have, the latest token first.
  const firstCell = isUneven ? (layerCells[0] ?? 0) - (budgets[0] ?? 0) : 0;
  const words = new Int32Array(bytes.buffer, 0, headWords);
  words.set([cells, layers, 0, tokens]);
  words.set(layerCells, 4);
  words.fill(noLabel, 4 + layers);
  for (let place = 0; place < most; place++) {
    words[4 + layers + firstCell + (isUneven ? most - 1 - place : place)] = tokens - most + place;
  }

  const starts: number[] = [];
  budgets.reduce((at, budget) => {
    starts.push(at);
    return at + budget * (rowBytes.keys + rowBytes.values);
  }, words.byteLength);
  /** How many of each layer and head's kept tokens were added. */
  const added = new Uint32Array(layers * heads);

  return {
    bytes,
    add(start, source, until) {
      const count = source.byteLength / (layers * (rowBytes.keys + rowBytes.values));
      if (!Number.isInteger(count)) throw new RangeError("no whole rows");
      let firstIndex = 0;
      for (let layer = 0; layer < layers; layer++) {
        const budget = budgets[layer] ?? 0;
        const keysFrom = layer * count * (rowBytes.keys + rowBytes.values);
        const valuesFrom = keysFrom + count * rowBytes.keys;
        const keysTo = starts[layer] ?? 0;
        const valuesTo = keysTo + budget * rowBytes.keys;
        for (let head = 0; head < heads; head++, firstIndex += budget) {
          let place = added[layer * heads + head] ?? 0;
          for (; place < budget; place++) {
            const row = (indices[firstIndex + place] ?? 0) - start;
            if (row >= Math.min(count, until - start)) break;
            if (row < 0) throw new RangeError("rows were left out");
            const cell = isUneven ? budget - 1 - place : place;
            copy(
              source,
              keysFrom + row * rowBytes.keys + head * headBytes.keys,
              bytes,
              keysTo + cell * rowBytes.keys + head * headBytes.keys,
              headBytes.keys,
            );
            copy(
              source,
              valuesFrom + row * rowBytes.values + head * headBytes.values,
              bytes,
              valuesTo + cell * rowBytes.values + head * headBytes.values,
              headBytes.values,
            );
          }
          added[layer * heads + head] = place;
        }
      }
    },
  };
}

function copy(from: Uint8Array, at: number, to: Uint8Array, place: number, length: number): void {
  to.set(from.subarray(at, at + length), place);
}
