import type { TokenRange } from "./protect.ts";
import { createTopKeys } from "./topKeys.ts";

/** How the budget is divided between documents, where it is not left to the scores. */
export type DocumentShares = {
  /** `even`: as many tokens of each; `length`: in proportion to their tokens. */
  readonly rule: "even" | "length";
  /** The tokens of each document, ascending and apart. */
  readonly documents: readonly TokenRange[];
};

/**
 * How many of `total` tokens each document gets: one after the other goes to the document that is furthest below its share (Sainte-Laguë's
 * divisors, of equal ones the first), so that they sum up to `total` exactly and a larger total takes nothing away from anyone. A document
 * with no more tokens left passes its turn on to the others.
 * @param capacities tokens that there are of each
 * @returns the quotas of a total, which is at most the sum of the capacities
 */
export function createQuotas(capacities: readonly number[], rule: DocumentShares["rule"]): (total: number) => Uint32Array {
  /** Which document gets the first token, the second, …: as far as anybody asked. */
  const order: number[] = [];
  const given = new Uint32Array(capacities.length);
  const nextDocument = (): number => {
    let next = -1;
    let highest = 0;
    capacities.forEach((capacity, document) => {
      const own = given[document] ?? 0;
      const claim = own < capacity ? (rule === "even" ? 1 : capacity) / (2 * own + 1) : 0;
      if (claim <= highest) return;
      next = document;
      highest = claim;
    });
    if (next < 0) throw new RangeError(`The documents have no more than ${order.length} tokens.`);
    return next;
  };
  return (total) => {
    while (order.length < total) {
      const document = nextDocument();
      given[document] = (given[document] ?? 0) + 1;
      order.push(document);
    }
    const quotas = new Uint32Array(capacities.length);
    for (let place = 0; place < total; place++) {
      const document = order[place] ?? 0;
      quotas[document] = (quotas[document] ?? 0) + 1;
    }
    return quotas;
  };
}

/** Divides what one row keeps of the documents anew among them. */
export type ShareOut = {
  /**
   * What the row keeps outside of documents, and how much it keeps of all documents together, stays as the keys chose it; of each document its
   * quota of unprotected tokens is kept, the best by their keys, beside its protected ones.
   * @param keys of the row, protected tokens having the greatest there is
   * @param kept the row's kept tokens, ascending; changed in place
   */
  divide(keys: Int32Array, kept: Uint32Array): void;
};

export function createShareOut({ rule, documents }: DocumentShares, protectedTokens: Uint32Array): ShareOut {
  const parts = documents.map(({ start, end }) => ({
    start,
    end,
    protectedCount: protectedTokens.reduce((count, token) => count + (token >= start && token < end ? 1 : 0), 0),
    topKeys: createTopKeys(end - start),
  }));
  const quotasOf = createQuotas(
    parts.map(({ start, end, protectedCount }) => end - start - protectedCount),
    rule,
  );
  const protectedInAll = parts.reduce((sum, { protectedCount }) => sum + protectedCount, 0);
  return {
    divide(keys, kept) {
      let inDocuments = 0;
      for (const token of kept) if (parts.some(({ start, end }) => token >= start && token < end)) inDocuments += 1;
      const quotas = quotasOf(inDocuments - protectedInAll);
      const pooled = kept.slice();
      let [from, place] = [0, 0];
      const copyUntil = (end: number) => {
        for (; from < pooled.length && (pooled[from] ?? 0) < end; from++) kept[place++] = pooled[from] ?? 0;
      };
      parts.forEach(({ start, end, protectedCount, topKeys }, document) => {
        copyUntil(start);
        while (from < pooled.length && (pooled[from] ?? 0) < end) from++;
        const count = (quotas[document] ?? 0) + protectedCount;
        if (count > 0) topKeys.pick(keys.subarray(start, end), count, kept, place);
        for (const last = place + count; place < last; place++) kept[place] = (kept[place] ?? 0) + start;
      });
      copyUntil(Number.POSITIVE_INFINITY);
    },
  };
}
