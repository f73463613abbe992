// What answers from a kept cache are worth, by the metrics of the field: RULER's synthetic tasks, reading sets, LongProc's HTML to TSV, agreement
// with the full cache on MT-Bench, and how far what an answer looks at depends on the temperature; for each policy and budget from the same full cache.
//
//   npm run bench -- quality [--quick] [--tasks NAME|GROUP,…] [--items N] [--tokens N] [--budgets N,N,…] [--policies NAME,…] [--minutes N]
//     [--modules FILE,…|shipped|untrained] [--model smollm2|qwen|FILE] [--threads N] [--out FILE]
import { runBench } from "./quality/run.mjs";

process.exitCode = await runBench("quality-sets");
