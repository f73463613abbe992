// What answers are worth from a kept cache: SQuAD's F1, and whether a gold answer stands in them, for questions about articles or single
// paragraphs of them (xquad/en); of the full cache and of each policy and budget, with bootstrap intervals over the articles.
//
//   npm run bench -- answers [--passage paragraph|article] [--items N] [--budgets N,N,…]
//     [--modules FILE,…|untrained] [--model smollm2|qwen|FILE] [--threads N] [--out FILE]
import { runBench } from "./quality/run.mjs";

process.exitCode = await runBench("answers");
