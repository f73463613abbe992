import { type CommonOptions, commonOptions, oneOf, readTexts, wholeNumber } from "../quality/options.ts";
import { type Variant, variants } from "./needle.ts";

export type NeedleOptions = CommonOptions & {
  readonly variant: Variant;
  /** Tokens of a whole prompt, about. */
  readonly tokens: number;
  readonly items: number;
};

/** @throws UsageError */
export function parseNeedleOptions(args: readonly string[]): NeedleOptions {
  const texts = readTexts(args, { variant: "single", tokens: "2000", items: "30", budgets: "64,128,256" });
  return {
    ...commonOptions(texts),
    variant: oneOf("variant", texts["variant"], variants),
    tokens: wholeNumber("tokens", texts["tokens"], 300, 200_000),
    items: wholeNumber("items", texts["items"], 1, 1000),
  };
}
