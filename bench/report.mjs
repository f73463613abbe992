// Everything in docs/results as tables and plots: docs/results/REPORT.md, out/report.html and the README's table. What falls short comes first.
//
//   npm run bench -- report
import { join } from "node:path";
import { root } from "../scripts/files.mjs";
import { bundleBench } from "./bundle.mjs";

const { exported } = await bundleBench("report/main");
const { missed, leftOut } = await exported.main(root);
for (const { verdict, origin } of missed) console.log(`missed: ${verdict.aim.text}: ${verdict.found} (${origin.file})`);
for (const { file, reason } of leftOut) console.log(`left out: ${file}: ${reason}`);
console.log(`The report: ${join(root, "docs", "results", "REPORT.md")}, ${join(root, "out", "report.html")}`);
