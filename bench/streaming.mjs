// What a text that is larger than the full cache may be is worth when it is read in windows (mode streaming): needles at 10, 50 and 90 %, and
// the most bytes that caches took, beside the full cache on a text that it holds.
//
//   npm run bench -- streaming [--cap N] [--times N] [--items N] [--budgets N,N,…] [--modules FILE,…] [--model smollm2|qwen|FILE]
//     [--threads N] [--out FILE]
import { runBench } from "./quality/run.mjs";

process.exitCode = await runBench("streaming");
