import { type CommonOptions, commonOptions, readTexts, UsageError, wholeNumber } from "../quality/options.ts";

export type StreamingOptions = CommonOptions & {
  /** Tokens that the full cache may hold. */
  readonly cap: number;
  /** The streamed prompt's length, in such caches. */
  readonly times: number;
  /** Items at each depth. */
  readonly items: number;
};

/** llama.cpp's caches have multiples of so many cells. */
const block = 256;

/** @throws UsageError */
export function parseStreamingOptions(args: readonly string[]): StreamingOptions {
  const texts = readTexts(args, { cap: "1792", times: "4", items: "4", budgets: "256", modules: "" });
  const cap = wholeNumber("cap", texts["cap"], 512, 1_000_000);
  if (cap % block !== 0) throw new UsageError(`--cap takes a multiple of ${block}, as caches are made, not “${cap}”.`);
  return {
    ...commonOptions(texts),
    cap,
    times: wholeNumber("times", texts["times"], 1, 100),
    items: wholeNumber("items", texts["items"], 1, 100),
  };
}
