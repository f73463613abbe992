import { defaultSinks } from "../protect.ts";
import { selectTop } from "../select.ts";
import type { ScoredPolicy } from "./policy.ts";

/**
 * Positions behind the prompt over which the queries' rotation is averaged: the future that is expected (kvpress: `n_future_positions`).
 */
export const futurePositions = 512;

/**
 * Tokens at the prompt's beginning whose queries are no examples, and which take no part in the softmax (kvpress: `n_sink`); they are
 * among the protected ones.
 */
export const unexpectedTokens = defaultSinks;

/**
 * Expected attention (Devoto et al., arXiv 2510.00636; kvpress, ExpectedAttentionPress): queries to come are taken to be distributed normally,
 * as the prompt's were before their rotation. With their mean μ and covariance Σ, both turned by the mean rotation of the next 512
 * positions, and s the scale of the model's attention (1/√d), a key k can expect the weight exp(s·k·μ + s²/2·kᵀΣk) before softmax. Softmax
 * over the tokens, mean over the head group, times the length of the value; ε 0 and no pooling, as kvpress has it. No question and no
 * attention matrix is needed, but all of the prompt is read anew for its queries.
 * Otherwise than in kvpress the scale is the model's own, also where that is not 1/√d, and the tail and the question are protected, as
 * with every policy here.
 */
export const expectedAttention: ScoredPolicy = {
  name: "expected-attention",
  rows: {
    ofPrompt: (promptTokens) => Math.max(1, promptTokens - unexpectedTokens),
    expected: true,
    keepsThem: false,
    behind: null,
  },
  poolKernel: 1,
  select: (scores, { budget, protectedTokens, poolKernel, share }) => selectTop(scores, budget, protectedTokens, poolKernel, share),
};
