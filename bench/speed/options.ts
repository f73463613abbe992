import { type ChoosingPolicy, choosingPolicySchema } from "../../electron/contract/policies.ts";
import { type CommonOptions, commonOptions, listOf, minutesOf, oneOf, readTexts, wholeNumber } from "../quality/options.ts";

/** What the app's engine is measured beside. */
const programs = ["stock", "llama-bench"] as const;
export type Program = (typeof programs)[number];

export type SpeedOptions = CommonOptions & {
  /** Tokens of the prompts, ascending. */
  readonly lengths: readonly number[];
  readonly rounds: number;
  readonly policies: readonly ChoosingPolicy[];
  /** A GGUF file or the id of an installed model that drafts for `speckv`; null leaves that policy out. */
  readonly draft: string | null;
  readonly beside: readonly Program[];
  /** After so many minutes no further turn is begun; null for all of them. */
  readonly minutes: number | null;
  /** Nothing is built for it. */
  readonly isQuick: boolean;
};

/** Up to what the known models were trained for; 8K where nothing is known. */
const usualLengths: Readonly<Record<string, string>> = { qwen: "1024,2048,4096,8192,16384,32768" };
const shortLengths = "1024,2048,4096,8192";
const budgets = "64,128,256,512,1024";
const quick = { lengths: "1024", rounds: "1", budgets: "64,256" };
const leastLength = 256;

/** @throws UsageError */
export function parseSpeedOptions(args: readonly string[]): SpeedOptions {
  const isQuick = args.includes("--quick");
  const texts = readTexts(
    args.filter((arg) => arg !== "--quick"),
    {
      ...(isQuick ? quick : { lengths: undefined, rounds: "3", budgets }),
      modules: "shipped",
      policies: choosingPolicySchema.options.join(","),
      draft: "none",
      beside: programs.join(","),
      minutes: undefined,
    },
  );
  const common = commonOptions(texts);
  const lengths = listOf(texts["lengths"] ?? usualLengths[common.model] ?? shortLengths);
  if (lengths.length === 0) wholeNumber("lengths", "", leastLength, 200_000);
  return {
    ...common,
    lengths: ascending(lengths.map((text) => wholeNumber("lengths", text, leastLength, 200_000))),
    rounds: wholeNumber("rounds", texts["rounds"], 1, 1000),
    policies: [...new Set(listOf(texts["policies"]).map((text) => oneOf("policies", text, choosingPolicySchema.options)))],
    draft: texts["draft"] === "none" ? null : (texts["draft"] ?? null),
    beside: texts["beside"] === "none" ? [] : [...new Set(listOf(texts["beside"]).map((text) => oneOf("beside", text, programs)))],
    minutes: minutesOf(texts),
    isQuick,
  };
}

const ascending = (values: readonly number[]): number[] => [...new Set(values)].sort((one, other) => one - other);
