import type { TokenRange } from "./protect.ts";
import { infinityKey } from "./scoreKeys.ts";
import { createTopKeys, type TopKeys } from "./topKeys.ts";

/** How the budget is divided between documents, where it is not left to the scores. */
export type DocumentShares = {
  /** `even`: as many tokens of each; `length`: in proportion to their tokens. */
  readonly rule: "even" | "length";
  /** The tokens of each document, ascending and apart. */
  readonly documents: readonly TokenRange[];
};

/** The same where each head of a layer holds other tokens, as in a kept cache: the places of those that it holds of each document. */
export type HeadShares = Pick<DocumentShares, "rule"> & { readonly documentsOf: (layer: number, head: number) => readonly TokenRange[] };

export type Shares = DocumentShares | HeadShares;

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
   * quota of unprotected tokens is kept, the best by their keys, beside its protected ones. Rules go by what the row holds of each.
   * @param keys of the row; those of protected tokens are Infinity's or more
   * @param kept the row's kept tokens, ascending; changed in place
   */
  divide(layer: number, head: number, keys: Int32Array, kept: Uint32Array): void;
};

export function createShareOut(share: Shares): ShareOut {
  const documentsOf = "documents" in share ? () => share.documents : share.documentsOf;
  // Of the row before: the same for all of them while a cache is full.
  let documents: readonly TokenRange[] = [];
  let topKeys: readonly TopKeys[] = [];
  let capacities: readonly number[] = [];
  let quotasOf = createQuotas(capacities, share.rule);
  return {
    divide(layer, head, keys, kept) {
      const own = documentsOf(layer, head);
      if (own !== documents) topKeys = own.map(({ start, end }) => createTopKeys(end - start));
      documents = own;
      const protectedCounts = own.map(({ start, end }) => countProtected(keys, start, end));
      const free = own.map(({ start, end }, document) => end - start - (protectedCounts[document] ?? 0));
      if (free.length !== capacities.length || free.some((count, document) => count !== capacities[document])) {
        capacities = free;
        quotasOf = createQuotas(free, share.rule);
      }

      let inDocuments = 0;
      for (const token of kept) if (own.some(({ start, end }) => token >= start && token < end)) inDocuments += 1;
      const total = inDocuments - protectedCounts.reduce((sum, count) => sum + count, 0);
      // Protected tokens alone: there is nothing to divide.
      if (total <= 0) return;
      const quotas = quotasOf(total);
      const pooled = kept.slice();
      let [from, place] = [0, 0];
      const copyUntil = (end: number) => {
        for (; from < pooled.length && (pooled[from] ?? 0) < end; from++) kept[place++] = pooled[from] ?? 0;
      };
      own.forEach(({ start, end }, document) => {
        copyUntil(start);
        while (from < pooled.length && (pooled[from] ?? 0) < end) from++;
        const count = (quotas[document] ?? 0) + (protectedCounts[document] ?? 0);
        if (count > 0) topKeys[document]?.pick(keys.subarray(start, end), count, kept, place);
        for (const last = place + count; place < last; place++) kept[place] = (kept[place] ?? 0) + start;
      });
      copyUntil(Number.POSITIVE_INFINITY);
    },
  };
}

function countProtected(keys: Int32Array, start: number, end: number): number {
  let count = 0;
  for (let token = start; token < end; token++) if ((keys[token] ?? 0) >= infinityKey) count += 1;
  return count;
}
