// Resident memory over the whole life of an answer, stage by stage, from the process that answers: full caches of f16, q8_0 and q4_0, and kept ones of
// each in each of the modes. All take turns, each answer in a process of its own. Linux only.
//
//   npm run bench -- memory [--tokens N] [--rounds N] [--budget N] [--answer N] [--rows NAME,…] [--model smollm2|qwen|FILE] [--threads N] [--out FILE]
import { runBench } from "./quality/run.mjs";

process.exitCode = await runBench("memory");
