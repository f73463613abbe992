// What each policy keeps of the same prompts, and what that costs: how much of what the real answer looks at is kept at each budget, the
// time of drafting, scoring and selecting, the bytes of the kept cache. A row for each policy, `oracle` as the bound.
//
//   npm run bench -- policies [--tokens N] [--items N] [--budgets N,N,…] [--draft FILE|none] [--modules FILE,…|untrained]
//     [--model smollm2|qwen|FILE] [--threads N] [--out FILE]
import { runBench } from "./quality/run.mjs";

process.exitCode = await runBench("policies");
