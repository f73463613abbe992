// What it costs to reopen a document after a restart: time to the first token and prompt tokens that are read, with snapshots of an earlier
// start against none. Each start is a process of its own, and asks another question than the one that the document was read with. Cold and
// reopened starts take turns.
//
//   npm run bench -- reopen [--tokens N] [--rounds N] [--budget N|full]
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { build } from "../scripts/build.mjs";
import { setup } from "../scripts/setup.mjs";
import { medians, writeResults } from "./figures.mjs";

const { values: options } = parseArgs({
  options: {
    tokens: { type: "string", default: "6000" },
    rounds: { type: "string", default: "5" },
    budget: { type: "string", default: "full" },
  },
});
const [tokens, rounds] = [options.tokens, options.rounds].map(Number);
const budget = options.budget === "full" ? "full" : Number(options.budget);
/** What issue 6 asks for: shares of the cold start's time, and of the document's tokens. */
const wanted = { time: 0.2, evaluated: 0.05 };
const questions = { reading: "How high did the tide stand?", reopening: "Which line has the highest tide?" };

await setup({ need: ["packages", "native", "model"] });
await build({ only: ["engine"] });
const folder = await mkdtemp(join(tmpdir(), "longsight-reopen-"));
const snapshotFolder = join(folder, "snapshots");
const file = join(folder, "report.txt");

/** One start of the engine. @returns {Promise<Record<string, any>>} what it measured */
async function start(about) {
  const child = fileURLToPath(new URL("./reopen/start.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [child, JSON.stringify({ file, budget, ...about })], {
    maxBuffer: 2 ** 24,
  });
  return JSON.parse(stdout);
}

const load = loadavg()[0];
const measured = { cold: [], reopened: [] };
let read;
try {
  // A line has some fifteen tokens; how many there are in the end is measured.
  const lines = (count) => Array.from({ length: count }, (_, line) => `Line ${line + 1}: the tide stood at ${(line * 37) % 90} inches.`);
  await writeFile(file, lines(100).join("\n"));
  const { documentTokens: perHundred } = await start({ question: questions.reading, snapshotFolder: null });
  await writeFile(file, lines(Math.floor((tokens / perHundred) * 100)).join("\n"));
  read = await start({ question: questions.reading, snapshotFolder, isToBeStored: true });
  console.error(`read: ${read.documentTokens} document tokens, ${(read.storedBytes / 1e6).toFixed(1)} MB stored`);
  for (let round = 0; round < rounds; round++) {
    for (const [name, from] of Object.entries({ cold: null, reopened: snapshotFolder })) {
      const figures = await start({ question: questions.reopening, snapshotFolder: from });
      measured[name].push(figures);
      console.error(`round ${round + 1} of ${rounds}, ${name}: first token after ${Math.round(figures.firstTokenMs)} ms`);
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

const numbersOf = (runs) => medians(runs.map(({ answer: _, notices: __, ...numbers }) => numbers));
const [cold, reopened] = [numbersOf(measured.cold), numbersOf(measured.reopened)];
const share = { time: reopened.firstTokenMs / cold.firstTokenMs, evaluated: reopened.evaluatedTokens / reopened.documentTokens };
const answers = new Set([...measured.cold, ...measured.reopened].map(({ answer }) => answer));
const verdict = (isMet) => (isMet ? "met" : "NOT MET");
const percent = (part) => `${(part * 100).toFixed(1)} %`;
console.log(
  `${reopened.documentTokens} document tokens, ${reopened.promptTokens} of the prompt, budget ${budget}, medians of ${rounds} rounds (load before: ${load.toFixed(1)})`,
);
console.log(`first token: cold ${cold.firstTokenMs} ms, reopened ${reopened.firstTokenMs} ms (${reopened.restoreMs} ms of it restoring)`);
console.log(`that is ${percent(share.time)} (wanted: at most ${percent(wanted.time)}): ${verdict(share.time <= wanted.time)}`);
console.log(
  `read again: ${reopened.evaluatedTokens} tokens, ${percent(share.evaluated)} of the document (wanted: below ${percent(wanted.evaluated)}): ${verdict(share.evaluated < wanted.evaluated)}`,
);
console.log(`the same answer each time: ${verdict(answers.size === 1)}`);
const command = `npm run bench -- reopen --tokens ${tokens} --rounds ${rounds} --budget ${budget}`;
const results = { command, budget, rounds, load, wanted, share, isSameAnswer: answers.size === 1, cold, reopened, read, measured };
console.log(`raw figures: ${await writeResults("reopen", results)}`);
