// What each stage of an answer takes, by length, policy and budget, beside what else there is: node-llama-cpp as it comes, with its own binaries and a
// full cache of f16, q8_0 and q4_0, and llama.cpp's llama-bench. All take turns, each turn in a process of its own, with the same threads.
//
//   npm run bench -- speed [--quick] [--lengths N,N,…] [--rounds N] [--budgets N,N,…] [--policies NAME,…] [--modules FILE,…|shipped|untrained]
//     [--draft FILE|none] [--beside stock,llama-bench|none] [--model smollm2|qwen|FILE] [--threads N] [--out FILE]
import { runBench } from "./quality/run.mjs";

process.exitCode = await runBench("speed");
