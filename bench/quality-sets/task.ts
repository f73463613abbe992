/**
 * What a prompt is made of: instructions, the text that is asked about, the question with all that comes behind the text, and how the answer
 * begins. The first three are the user's message.
 */
export type PromptText = { readonly head: string; readonly context: string; readonly question: string; readonly opening: string };

/**
 * How a prompt is made as long as it may be: `cut` loses the middle of its context; `grown` gets as much of its context as there is room
 * for; `whole` is taken as it is or not at all.
 */
export type Source =
  | { readonly kind: "cut" | "whole"; readonly text: PromptText }
  | { readonly kind: "grown"; readonly most: number; readonly at: (count: number) => PromptText };

export type Item = {
  readonly id: string;
  readonly source: Source;
  /** What counts as right; what there is of it depends on the task's metric. */
  readonly gold: readonly string[];
};

type Common = {
  readonly name: string;
  /** Longest answer in tokens. */
  readonly answerTokens: number;
  /** In the order in which they are taken: fewer are a part of more. */
  readonly items: readonly Item[];
};

/** A task whose answers are held against gold ones. */
export type ScoredTask = Common & {
  readonly group: "ruler" | "reading" | "longproc";
  /** Of an answer, 0 … 1. */
  readonly score: (answer: string, gold: readonly string[]) => number;
  /** Whether no more text can change an answer that scores 1: then it may end there. */
  readonly endsWhenRight: boolean;
  /** A share of the prompt that is kept in place of the asked budgets; null for these. */
  readonly keptShare: number | null;
};

/** A task whose answers are held against the full cache's, for want of gold ones. */
export type AgreementTask = Common & { readonly group: "agreement" };

/** A task of prompts whose answers are not judged, but what they look at. */
export type LooksTask = Common & { readonly group: "temperature" };

export type Task = ScoredTask | AgreementTask | LooksTask;

export const groups = ["ruler", "reading", "longproc", "agreement", "temperature"] as const;
export type Group = (typeof groups)[number];
