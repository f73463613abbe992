import { type CommonOptions, commonOptions, readTexts, wholeNumber } from "../quality/options.ts";

export type PolicyOptions = CommonOptions & {
  /** Tokens of a whole prompt, about. */
  readonly tokens: number;
  readonly items: number;
  /** A GGUF file or the id of an installed model that drafts for `speckv`; null leaves that policy out. */
  readonly draft: string | null;
};

/** @throws UsageError */
export function parsePolicyOptions(args: readonly string[]): PolicyOptions {
  const texts = readTexts(args, { tokens: "2000", items: "10", budgets: "64,128,256", draft: "none" });
  return {
    ...commonOptions(texts),
    tokens: wholeNumber("tokens", texts["tokens"], 300, 200_000),
    items: wholeNumber("items", texts["items"], 1, 1000),
    draft: texts["draft"] === "none" ? null : (texts["draft"] ?? null),
  };
}
