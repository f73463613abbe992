// How fast text comes out of PDFs: the app's own reader, with its lines and columns in reading order, beside pdf.js, which hands over what a page draws in the order
// in which it is drawn. They take turns, each turn in a process of its own.
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../scripts/run.mjs";
import { ensurePdfJs } from "./pdfJs.mjs";

const script = fileURLToPath(new URL("./readTexts.mjs", import.meta.url));

/** @returns {Promise<{ pdfJs: { folder: string, version: string, integrity: string } | null, missing: string | null }>} why it cannot be had */
async function findPdfJs() {
  try {
    return { pdfJs: await ensurePdfJs(), missing: null };
  } catch (error) {
    return { pdfJs: null, missing: messageOf(error) };
  }
}

export async function measureTexts(tools, { kind, documents }, rounds) {
  const { pdfJs, missing } = await findPdfJs();
  if (missing !== null) console.error(missing);
  const readers = tools.readers.filter((reader) => reader !== "pdf.js" || pdfJs !== null);
  const turns = [];
  for (const { round, each: reader } of tools.inTurns(rounds, readers)) {
    const load = loadavg()[0];
    const job = JSON.stringify({ reader, folder: pdfJs?.folder ?? null, documents });
    const { texts, refused } = tools.lastJson(await tools.outputOf(process.execPath, [script, job]));
    turns.push({ reader, round, load, texts, refused });
    if (round === 0) for (const { name, reason } of refused) console.error(`not read by ${reader}: ${name}: ${reason}`);
    console.error(`text, round ${round + 1} of ${rounds}, ${reader}: ${Math.round(texts.reduce((sum, { ms }) => sum + ms, 0))} ms`);
  }
  const summary = tools.summariseTexts(turns);
  const speeds = (leastPages) =>
    Object.fromEntries(
      readers.map((reader) => [reader, tools.pagesPerSecond(summary, reader, leastPages)]).filter(([, speed]) => speed !== null),
    );
  const [all, long] = [speeds(1), speeds(tools.longPages)];
  console.log(`${summary.length} ${kind} documents, medians of ${rounds} rounds; pages a second`);
  console.table({ "all documents": all, [`of ${tools.longPages} pages and more`]: long });
  const { folder: _, ...beside } = pdfJs ?? { folder: null };
  return {
    documents: kind,
    beside: pdfJs === null ? null : { name: "pdf.js", ...beside },
    missing,
    longPages: tools.longPages,
    all,
    long,
    summary,
    turns,
  };
}
