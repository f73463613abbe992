// What an eviction gives back, from the process that answers: whole answers about a long text, round after round in one process, with
// the resident memory before the eviction and within a second after it.
//
//   npm run bench -- freed [--rounds N] [--tokens N] [--budget N]
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../scripts/build.mjs";
import { root } from "../scripts/files.mjs";
import { modelsFolder } from "../scripts/model.mjs";
import { setup } from "../scripts/setup.mjs";
import { bundle } from "./bundle.mjs";
import { median, writeResults } from "./figures.mjs";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    tokens: { type: "string", default: "6000" },
    budget: { type: "string", default: "256" },
  },
});
const [rounds, tokens, budget] = [options.rounds, options.tokens, options.budget].map(Number);
const room = 256;

await setup({ need: ["packages", "native", "model"] });
await build({ only: ["engine"] });
const { createEngine, defaultSampling } = await bundle(["engine/engine", "contract/conversation"]);

/** Resident memory of this process, in bytes. */
function resident() {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
}

const folder = await mkdtemp(join(tmpdir(), "longsight-freed-"));
const signal = new AbortController().signal;
const engine = createEngine({
  dataFolder: folder,
  modelFolders: [modelsFolder()],
  moduleFolders: [],
  version: "bench",
  documentWorker: join(root, "out", "engine", "pdfWorker.cjs"),
  forgetful: true,
});
const quiet = { signal, emit: () => {} };
const measured = [];
try {
  const model = (await engine.call("listModels", {}, quiet))[0].id;
  const file = join(folder, "report.txt");
  const lines = (count) => Array.from({ length: count }, (_, line) => `Line ${line + 1}: the tide stood at ${(line * 37) % 90} inches.`);
  await engine.call("loadModel", { model, contextLength: 8192, kvType: "f16", threads: null }, quiet);
  const countOf = async (count) => {
    await writeFile(file, lines(count).join("\n"));
    const { id } = await engine.call("openDocument", { path: file }, quiet);
    const documents = [{ documentId: id, pages: null }];
    const question = "How high did the tide stand?";
    const conversation = await engine.call("createConversation", { documents }, quiet);
    const ask = { conversationId: conversation.id, documents, question, replaceTurnId: null, maxTokens: room };
    return { ...(await engine.call("measurePrompt", ask, quiet)), documents, question };
  };
  const perLine = (await countOf(200)).promptTokens / 200;
  const prompt = await countOf(Math.floor(tokens / perLine));
  for (let round = 0; round < rounds; round++) {
    const { id } = await engine.call("createConversation", { documents: prompt.documents }, quiet);
    let before = 0;
    let lowest = Number.POSITIVE_INFINITY;
    let sampling = null;
    const emit = (event) => {
      if (event.event !== "progress" || event.stage !== "eviction") return;
      if (event.fraction === 0) before = resident();
      else {
        const end = performance.now() + 1000;
        sampling = setInterval(() => {
          if (performance.now() > end) clearInterval(sampling);
          else lowest = Math.min(lowest, resident());
        }, 20);
      }
    };
    const sampled = { ...defaultSampling, maxTokens: room, seed: 1 };
    const request = { conversationId: id, question: prompt.question, replaceTurnId: null, sampling: sampled, mode: "question" };
    const { figures } = await engine.call("ask", { ...request, budget, policy: "snapkv" }, { signal, emit });
    await new Promise((resolve) => setTimeout(resolve, 100));
    clearInterval(sampling);
    const { fullCacheBytes: full, keptCacheBytes: kept, promptTokens } = figures;
    measured.push({
      promptTokens,
      full,
      kept,
      before,
      lowest,
      share: (before - lowest) / (full - kept),
      ratio: kept / full / ((budget + room) / promptTokens),
    });
    console.error(`round ${round + 1} of ${rounds}: ${JSON.stringify(measured.at(-1))}`);
  }
} finally {
  await engine.dispose();
  await rm(folder, { recursive: true, force: true });
}

const shares = measured.map(({ share }) => share);
const ratios = measured.map(({ ratio }) => ratio);
console.log(
  `${measured[0].promptTokens} tokens, budget ${budget}, ${rounds} rounds: cache ${(measured[0].full / 1e6).toFixed(1)} MB → ${(measured[0].kept / 1e6).toFixed(1)} MB, ${((ratios[0] - 1) * 100).toFixed(1)} % off (budget + answer) ÷ prompt (wanted: within 3 %)`,
);
console.log(
  `resident memory fell by ${(Math.min(...shares) * 100).toFixed(0)} % of the difference at least, ${(median(shares) * 100).toFixed(0)} % in the middle (wanted: 80 %)`,
);
console.log(`raw figures: ${await writeResults("freed", { budget, room, rounds, shares, ratios, measured })}`);
