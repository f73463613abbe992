// What opening and closing documents leaves in memory: private memory of every process of the app, before and after 50 of them. Each is dropped
// on the window, drawn, and taken out of the conversation again. Wanted: growth below 50 MB.
//
//   npm run bench -- documents [--documents N] [--rounds N]
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/files.mjs";
import { median, writeResults } from "./figures.mjs";
import { prepareWindow, withReadyApp } from "./window/app.mjs";
import { measureMemory, measurePage } from "./window/memory.mjs";
import { openAndClose } from "./window/openDocument.mjs";

const { values: options } = parseArgs({
  options: { documents: { type: "string", default: "50" }, rounds: { type: "string", default: "1" } },
});
const [wanted, rounds] = [options.documents, options.rounds].map(Number);
const wantedGrowth = 50e6;
/** Opened and closed first: what is made once for all documents (PDFium, allocators) is no growth. */
const warmUps = 3;
/** Bytes of the files that are opened: none that takes minutes, none that is nothing. */
const sizes = { least: 8_000, most: 4_000_000 };

/** Real PDFs where there are any, evenly from the list by name; else made ones. */
async function documentsIn(folder, tools) {
  const base = process.env.LONGSIGHT_DATA ? resolve(process.env.LONGSIGHT_DATA) : join(root, "..", "shared", "data");
  const found = [];
  for (const part of ["small", "long"]) {
    const place = join(base, "A_pdf", part);
    for (const name of (await readdir(place).catch(() => [])).filter((file) => file.endsWith(".pdf")).sort()) {
      const { size } = await stat(join(place, name));
      if (size >= sizes.least && size <= sizes.most) found.push(join(place, name));
    }
  }
  if (found.length >= wanted) return { kind: "real", paths: found };
  const paths = [];
  for (let number = 0; number < wanted + warmUps; number += 1) {
    const path = join(folder, `made-${number}.pdf`);
    await writeFile(path, await tools.madePdf(20, number * 1000));
    paths.push(path);
  }
  return { kind: "made", paths };
}

function measure(documents, window) {
  return withReadyApp(window, "documents", async (started) => {
    const { page } = started;
    const waiting = [...documents.paths];
    const refused = [];
    const openNext = async () => {
      for (;;) {
        const path = waiting.shift();
        if (path === undefined) throw new Error("There are not enough documents that can be opened.");
        if (await openAndClose(page, path)) return basename(path);
        refused.push(basename(path));
      }
    };
    for (let number = 0; number < warmUps; number += 1) await openNext();
    const before = await measureMemory(started);
    const pageBefore = await measurePage(started);
    const steps = [];
    const opened = [];
    for (let number = 1; number <= wanted; number += 1) {
      opened.push(await openNext());
      if (number % 10 === 0 || number === wanted) {
        steps.push({ documents: number, bytes: await measureMemory(started), page: await measurePage(started) });
        const { bytes, page: held } = steps.at(-1);
        const heap = `the window's heap ${megabytes(held.heap - pageBefore.heap)} MB, ${held.nodes - pageBefore.nodes} nodes`;
        console.error(`  ${number} documents: ${describe(growthOf(before, bytes))} (${heap}, ${held.workers} workers)`);
      }
    }
    return { load: loadavg()[0], before, pageBefore, steps, growth: growthOf(before, steps.at(-1).bytes), opened, refused };
  });
}

function growthOf(before, after) {
  return Object.fromEntries(Object.keys(before).map((role) => [role, after[role] - before[role]]));
}

const megabytes = (bytes) => Math.round(bytes / 1e5) / 10;
const describe = (growth) =>
  Object.entries(growth)
    .map(([role, bytes]) => `${role} ${megabytes(bytes)} MB`)
    .join(", ");

const { electron, tools, env, app, end } = await prepareWindow();
const made = join(app, "documents");
const runs = [];
try {
  await mkdir(made);
  const documents = await documentsIn(made, tools);
  console.error(`${wanted} ${documents.kind} documents, out of ${documents.paths.length}`);
  for (let round = 1; round <= rounds; round += 1) {
    runs.push({ documents: documents.kind, ...(await measure(documents, { electron, env, app, tools })) });
    console.error(`round ${round} of ${rounds}: ${describe(runs.at(-1).growth)}`);
  }
} finally {
  await end();
}
const growth = Object.fromEntries(Object.keys(runs[0].growth).map((role) => [role, median(runs.map((run) => run.growth[role]))]));
const verdict = growth.all < wantedGrowth ? "met" : "NOT MET";
console.log(`${wanted} documents opened and closed, medians of ${rounds} rounds, private memory grew: ${describe(growth)}`);
console.log(`wanted: below ${megabytes(wantedGrowth)} MB in all: ${verdict}`);
const command = `npm run bench -- documents --documents ${wanted} --rounds ${rounds}`;
const results = { command, electron: `${electron.version} (${electron.source})`, wantedGrowth, growth, runs };
console.log(`raw figures: ${await writeResults("documents", results)}`);
