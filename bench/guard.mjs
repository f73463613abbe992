// Whether speed and quality are what they were: instructions of scoring, selecting and gathering, counted under valgrind and held against
// guard/counts.json, and a small fixed run of the embedded model held against guard/expectations.ts. A part of npm test.
//
//   npm run bench -- guard [--only counts|quality] [--store] [--report FILE]
import { runBench } from "./quality/run.mjs";

process.exitCode = await runBench("guard");
