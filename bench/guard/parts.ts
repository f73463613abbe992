/**
 * A part of native/count/count.cpp. `symbol`: its function. `beside`: a part that llama.cpp does without our patches, or a plain copy, by
 * whose instructions this one's are told where they were counted with another compiler.
 */
export type Part = { readonly name: string; readonly symbol: string; readonly what: string; readonly beside: string | null };

/** The parts that are counted, those that others stand beside first. */
export const parts: readonly Part[] = [
  { name: "prompt", symbol: "count_prompt", what: "reading a prompt's last rows", beside: null },
  { name: "rows", symbol: "count_rows", what: "decoding rows of embeddings without flash attention", beside: null },
  { name: "copy", symbol: "count_copy", what: "copying rows", beside: null },
  { name: "answer", symbol: "count_answer", what: "writing from the full cache", beside: null },
  { name: "promptScores", symbol: "count_prompt_scores", what: "scoring by a prompt's last rows", beside: "prompt" },
  { name: "rowsScores", symbol: "count_rows_scores", what: "scoring by a module's rows", beside: "rows" },
  { name: "scores", symbol: "count_scores", what: "reading the scores", beside: "copy" },
  { name: "expected", symbol: "count_expected", what: "scoring by expected attention", beside: "prompt" },
  { name: "gather", symbol: "count_gather", what: "gathering what is kept", beside: "copy" },
  { name: "gatherLayers", symbol: "count_gather_layers", what: "gathering a number of its own for each layer", beside: "copy" },
  { name: "keptAnswer", symbol: "count_kept_answer", what: "writing from what is kept", beside: "answer" },
  { name: "keptAnswerLayers", symbol: "count_kept_answer_layers", what: "writing from layers of their own numbers", beside: "answer" },
];
