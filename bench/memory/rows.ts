import type { KvType } from "../../electron/contract/model.ts";

/** How an answer is given: from the full cache, or from a kept one in one of the modes. */
export const ways = ["full", "question", "once", "streaming"] as const;
export type Way = (typeof ways)[number];

/** One line of the table; its name is what `--rows` takes. */
export type Row = { readonly name: string; readonly way: Way; readonly kvType: KvType };

const kvTypes: Readonly<Record<Way, readonly KvType[]>> = {
  full: ["f16", "q8_0", "q4_0"],
  question: ["f16", "q8_0", "q4_0"],
  once: ["f16", "q8_0"],
  streaming: ["f16", "q8_0"],
};

export const rows: readonly Row[] = ways.flatMap((way) => kvTypes[way].map((kvType): Row => ({ name: `${way}-${kvType}`, way, kvType })));
