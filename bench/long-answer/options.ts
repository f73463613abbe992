import { type ChoosingPolicy, choosingPolicySchema, policyFacts } from "../../electron/contract/policies.ts";
import { type CommonOptions, commonOptions, oneOf, readTexts, wholeNumber } from "../quality/options.ts";

export type LongAnswerOptions = Omit<CommonOptions, "budgets"> & {
  /** Of the answer. */
  readonly tokens: number;
  /** Tokens of the prompt, about. */
  readonly prompt: number;
  readonly budget: number;
  readonly policy: ChoosingPolicy;
};

/** @throws UsageError */
export function parseLongAnswerOptions(args: readonly string[]): LongAnswerOptions {
  const texts = readTexts(args, { tokens: "20000", prompt: "1000", budget: "256", policy: "snapkv", modules: "" });
  const policies = choosingPolicySchema.options.filter((policy) => policyFacts[policy].inWindows);
  const { budgets: _, ...common } = commonOptions({ ...texts, budgets: texts["budget"] });
  return {
    ...common,
    tokens: wholeNumber("tokens", texts["tokens"], 100, 1_000_000),
    prompt: wholeNumber("prompt", texts["prompt"], 300, 200_000),
    budget: wholeNumber("budget", texts["budget"], 64, 100_000),
    policy: oneOf("policy", texts["policy"], policies),
  };
}
