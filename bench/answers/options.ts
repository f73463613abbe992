import { type CommonOptions, commonOptions, oneOf, readTexts, wholeNumber } from "../quality/options.ts";
import { type Passage, passages } from "./items.ts";

export type AnswerOptions = CommonOptions & { readonly items: number; readonly passage: Passage };

/** @throws UsageError */
export function parseAnswerOptions(args: readonly string[]): AnswerOptions {
  const texts = readTexts(args, { items: "200", passage: "paragraph", budgets: "64,128" });
  return {
    ...commonOptions(texts),
    items: wholeNumber("items", texts["items"], 1, 100_000),
    passage: oneOf("passage", texts["passage"], passages),
  };
}
