// What the app is to work with: its start, opening a document, text out of PDFs beside pdf.js, answers beside other work, and the window while the engine reads. Each
// part has a file of raw figures of its own; `start` and `load` are the benches of that name.
//
//   npm run bench -- app [--parts start,load,open,text,busy] [--rounds N] [--documents N] [--pages N]
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "../scripts/build.mjs";
import { setup } from "../scripts/setup.mjs";
import { measureBusy } from "./app/busy.mjs";
import { findDocuments, makeDocument } from "./app/documents.mjs";
import { measureOpening } from "./app/open.mjs";
import { measureTexts } from "./app/text.mjs";
import { bundleBench } from "./bundle.mjs";
import { writeResults } from "./figures.mjs";
import { prepareWindow } from "./window/app.mjs";

const parts = ["start", "load", "open", "text", "busy"];
const { values: options } = parseArgs({
  options: {
    parts: { type: "string", default: parts.join(",") },
    rounds: { type: "string", default: "3" },
    documents: { type: "string", default: "16" },
    pages: { type: "string", default: "26" },
  },
});
const wanted = options.parts.split(",");
const unknown = wanted.filter((part) => !parts.includes(part));
if (unknown.length > 0) throw new Error(`There is no part “${unknown.join("”, “")}”. There are: ${parts.join(", ")}.`);
const [rounds, count, pages] = [options.rounds, options.documents, options.pages].map(Number);

/** A bench that is one of its own. */
function runBench(name) {
  const script = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  const { status } = spawnSync(process.execPath, [script, "--runs", String(rounds)], { stdio: "inherit" });
  if (status !== 0) throw new Error(`The bench ${name} ended with exit code ${status}.`);
}

/** @param own options of that part alone */
async function save(part, own, results) {
  const typed = Object.entries({ parts: part, rounds, ...own }).map(([name, value]) => `--${name} ${value}`);
  const command = `npm run bench -- app ${typed.join(" ")}`;
  console.log(`raw figures: ${await writeResults(`app-${part}`, { command, rounds, ...results })}`);
}

for (const name of ["start", "load"]) if (wanted.includes(name)) runBench(name);
const { exported: tools } = await bundleBench("app/main");
const folder = await mkdtemp(join(tmpdir(), "longsight-app-"));
try {
  const found = await findDocuments({ tools, folder, count });
  if (wanted.includes("text")) {
    await setup({ need: ["packages"], quiet: true });
    await build({ only: ["engine"] });
    await save("text", { documents: count }, await measureTexts(tools, found, rounds));
  }
  if (wanted.some((part) => ["open", "busy"].includes(part))) {
    const window = { ...(await prepareWindow({ madeScores: false })), tools };
    const electron = `${window.electron.version} (${window.electron.source})`;
    try {
      if (wanted.includes("open")) {
        const first = await makeDocument(tools, folder, 2);
        await save("open", { documents: count }, { electron, ...(await measureOpening(window, { ...found, first }, rounds)) });
      }
      if (wanted.includes("busy")) await save("busy", { pages }, { electron, ...(await measureBusy(window, pages, rounds)) });
    } finally {
      await window.end();
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
