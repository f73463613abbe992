// Whether an answer of many thousand tokens stays within its cache: the process's memory and the time of a token, interval by interval, of an
// answer that never ends, from a kept cache that evicts again and again.
//
//   npm run bench -- long-answer [--tokens N] [--prompt N] [--budget N] [--policy NAME] [--modules FILE] [--model smollm2|qwen|FILE]
//     [--threads N] [--out FILE]
import { runBench } from "./quality/run.mjs";

process.exitCode = await runBench("long-answer");
