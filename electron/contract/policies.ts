import { z } from "zod";

/**
 * Rules that turn scores into kept tokens (design.md §3), in the order in which they are shown; `full` keeps all. Where each comes from is
 * told in electron/engine/lookahead/policies.
 */
export const policySchema = z.enum([
  "full",
  "lookahead",
  "snapkv",
  "pyramidkv",
  "laq",
  "speckv",
  "h2o",
  "tova",
  "nacl",
  "expected-attention",
  "streamingllm",
  "random",
]);
export type Policy = z.infer<typeof policySchema>;

/** The policies that choose, where not everything is kept. */
export const choosingPolicySchema = policySchema.exclude(["full"]);
export type ChoosingPolicy = z.infer<typeof choosingPolicySchema>;

/**
 * How a budget is divided between the documents of a prompt: `score`, each token competing with all others; `even`, as much of each document;
 * `length`, in proportion to their tokens.
 */
export const shareSchema = z.enum(["score", "even", "length"]);
export type Share = z.infer<typeof shareSchema>;

/** What the window and the command line have to know of a policy. */
export type PolicyFacts = {
  /** When its scores are taken: while the prompt is read, in a stage of their own after the first token, or never. */
  readonly scored: "reading" | "stage" | "never";
  /** How many of the prompt's last tokens it always keeps beside the first ones and the template's tail. */
  readonly keptWindow: number;
  /** Whether it needs a draft model to be named. */
  readonly needsDraftModel: boolean;
  /** Whether it can score a text by parts, which the modes `once` and `streaming` ask for. */
  readonly inWindows: boolean;
  /** Whether chance has a part in it. */
  readonly seeded: boolean;
};

const plain: PolicyFacts = { scored: "never", keptWindow: 0, needsDraftModel: false, inWindows: true, seeded: false };

export const policyFacts: Readonly<Record<Policy, PolicyFacts>> = {
  full: plain,
  lookahead: { ...plain, scored: "stage" },
  snapkv: { ...plain, scored: "reading", keptWindow: 32 },
  pyramidkv: { ...plain, scored: "reading", keptWindow: 32, inWindows: false },
  laq: { ...plain, scored: "stage", keptWindow: 32, inWindows: false },
  speckv: { ...plain, scored: "stage", keptWindow: 32, needsDraftModel: true, inWindows: false },
  h2o: { ...plain, scored: "reading", inWindows: false },
  tova: { ...plain, scored: "reading", keptWindow: 1 },
  nacl: { ...plain, scored: "reading", seeded: true },
  "expected-attention": { ...plain, scored: "stage", inWindows: false },
  streamingllm: plain,
  random: { ...plain, seeded: true },
};
