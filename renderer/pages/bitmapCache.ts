/** What the cache needs of an ImageBitmap. */
export type Closable = { readonly width: number; readonly height: number; close: () => void };

export type BitmapCache<Bitmap extends Closable> = {
  /** The picture of a page at exactly this width in pixels. */
  readonly exact: (page: number, width: number) => Bitmap | null;
  /** Any picture of a page, the one of the nearest width: shown stretched until the exact one is there. */
  readonly nearest: (page: number, width: number) => Bitmap | null;
  readonly put: (page: number, width: number, bitmap: Bitmap) => void;
  readonly clear: () => void;
  readonly bytes: () => number;
};

const bytesPerPixel = 4;

/** Keeps the pictures used last up to a number of bytes; one that is put out is closed at once. */
export function createBitmapCache<Bitmap extends Closable>(limitBytes: number): BitmapCache<Bitmap> {
  type Entry = { readonly page: number; readonly width: number; readonly bitmap: Bitmap; readonly bytes: number };
  const entries = new Map<string, Entry>();
  let total = 0;

  function drop(key: string, entry: Entry): void {
    entries.delete(key);
    total -= entry.bytes;
    entry.bitmap.close();
  }

  function touch(key: string, entry: Entry): Bitmap {
    entries.delete(key);
    entries.set(key, entry);
    return entry.bitmap;
  }

  return {
    exact(page, width) {
      const key = `${page}@${width}`;
      const entry = entries.get(key);
      return entry === undefined ? null : touch(key, entry);
    },
    nearest(page, width) {
      let best: [string, Entry] | null = null;
      for (const candidate of entries) {
        if (candidate[1].page !== page) continue;
        if (best === null || Math.abs(candidate[1].width - width) < Math.abs(best[1].width - width)) best = candidate;
      }
      return best === null ? null : touch(best[0], best[1]);
    },
    put(page, width, bitmap) {
      const key = `${page}@${width}`;
      const before = entries.get(key);
      if (before !== undefined) drop(key, before);
      const entry: Entry = { page, width, bitmap, bytes: bitmap.width * bitmap.height * bytesPerPixel };
      entries.set(key, entry);
      total += entry.bytes;
      for (const [oldKey, old] of entries) {
        if (total <= limitBytes || old === entry) break;
        drop(oldKey, old);
      }
    },
    clear() {
      for (const [key, entry] of [...entries]) drop(key, entry);
    },
    bytes: () => total,
  };
}
