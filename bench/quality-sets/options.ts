import { choosingPolicySchema } from "../../electron/contract/policies.ts";
import type { PolicyName } from "../../electron/engine/lookahead/policies/policy.ts";
import { type CommonOptions, commonOptions, listOf, minutesOf, oneOf, readTexts, wholeNumber } from "../quality/options.ts";
import { groups } from "./task.ts";

/** A policy that needs no module, by its row of the tables. */
export type PlainPolicy = PolicyName | "snapkv-unpooled";

export type QualityOptions = CommonOptions & {
  /** Names of tasks and of groups of them. */
  readonly tasks: readonly string[];
  /** Items of each task. */
  readonly items: number;
  /** Tokens of a whole prompt together with its answer, as RULER counts. */
  readonly tokens: number;
  /** Policies that need no module, each a row of the tables. */
  readonly policies: readonly PlainPolicy[];
  /** After so many minutes no further item is begun; null for all of them. */
  readonly minutes: number | null;
  /** Longest answer in tokens, where a task has a longer one; null for the tasks' own. */
  readonly answerTokens: number | null;
};

/** Policies that `--policies` takes: those that need neither a module nor a draft model, snapkv without its pooling, and the bound for all. */
const plainPolicies = [...choosingPolicySchema.exclude(["lookahead", "speckv"]).options, "snapkv-unpooled", "oracle"] as const;

const usual = {
  tasks: groups.join(","),
  items: "20",
  tokens: "2048",
  budgets: "64,128,256,512,1024",
  modules: "shipped,untrained",
  policies: "snapkv,streamingllm",
};

/** Under five minutes with the embedded model on two cores: a few tasks that it can do, short and few. */
const quick = {
  ...usual,
  tasks: "niah_single_2,niah_multikey_1,xquad_en,hotpotqa,nq_passages,longchat_lines,mt_bench",
  items: "2",
  tokens: "1024",
  budgets: "64,128",
};
const quickMinutes = 4;
const quickAnswer = 32;

/** @throws UsageError */
export function parseQualityOptions(args: readonly string[]): QualityOptions {
  const isQuick = args.includes("--quick");
  const texts = readTexts(
    args.filter((arg) => arg !== "--quick"),
    { ...(isQuick ? quick : usual), minutes: undefined },
  );
  return {
    ...commonOptions(texts),
    tasks: listOf(texts["tasks"]),
    items: wholeNumber("items", texts["items"], 1, 100_000),
    tokens: wholeNumber("tokens", texts["tokens"], 300, 200_000),
    policies: [...new Set(listOf(texts["policies"]).map((name) => oneOf("policies", name, plainPolicies)))],
    minutes: minutesOf(texts) ?? (isQuick ? quickMinutes : null),
    answerTokens: isQuick ? quickAnswer : null,
  };
}

/** The options that decide what comes of an item: others say which items are measured, and until when. */
export function decidingOptions({ tokens, budgets, policies, answerTokens }: QualityOptions) {
  return { tokens, budgets, policies, answerTokens };
}
