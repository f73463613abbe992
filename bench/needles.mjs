// Whether a fact in a long text is found again from a kept cache: a number (or two words) hidden at depths of 10 to 90 %, the answer's
// opening given, for each policy and budget from the same full cache. What the full cache does not answer is left out and counted.
//
//   npm run bench -- needles [--variant single|several|words|question-first] [--tokens N] [--items N] [--budgets N,N,…]
//     [--modules FILE,…|untrained] [--model smollm2|qwen|FILE] [--threads N] [--out FILE]
import { runBench } from "./quality/run.mjs";

process.exitCode = await runBench("needles");
