// How long until one can work: window, model, first token of an answer about a document of 2,000 tokens.
//
//   npm run bench -- start [--runs N]
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { _electron } from "@playwright/test";
import { build } from "../scripts/build.mjs";
import { anyDisplay } from "../scripts/display.mjs";
import { electronLaunch } from "../scripts/electron.mjs";
import { setup } from "../scripts/setup.mjs";
import { medians, writeResults } from "./figures.mjs";

const { values } = parseArgs({ options: { runs: { type: "string", default: "5" } } });
const runs = Number(values.runs);

/** English prose without repetition in long stretches: about 2,000 tokens of the embedded model. */
function proseOf(paragraphs) {
  const things = ["pump", "valve", "gauge", "filter", "heater", "sensor", "motor", "relay"];
  const places = ["on the upper deck", "beside the main tank", "in the north cabinet", "under the control desk"];
  return Array.from({ length: paragraphs }, (_, index) => {
    const thing = things[index % things.length];
    const place = places[(index * 3) % places.length];
    return `Section ${index + 1}. The ${thing} ${place} is checked every ${3 + ((index * 7) % 20)} days. If its reading rises above ${40 + ((index * 13) % 50)} units, close the supply, wait ${2 + (index % 9)} minutes, and write the value into the log before it is opened again.`;
  }).join("\n\n");
}

/** Runs in the page: one engine call through the bridge, as the window itself makes it. */
function callInPage([method, payload]) {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    const started = performance.now();
    let firstTokenMs = 0;
    port1.onmessage = ({ data }) => {
      if (data.event === "token" && firstTokenMs === 0) firstTokenMs = performance.now() - started;
      if (data.event === "result") resolve({ value: data.result, firstTokenMs });
      if (data.event === "error") reject(new Error(`${data.problem.code}: ${data.problem.message}`));
    };
    window.postMessage({ type: "longsight:engine-call", call: { method, payload } }, window.location.origin, [port2]);
  });
}

async function measure(electron, display, document) {
  const data = await mkdtemp(join(tmpdir(), "longsight-bench-"));
  const began = performance.now();
  const preparing = await setup({ quiet: true }).then(() => build());
  if (preparing.length > 0) throw new Error("Something was built while measuring: run the bench again.");
  const prepareMs = performance.now() - began;

  const { command, args, env } = await electronLaunch(electron, [`--user-data-dir=${data}`]);
  const launched = performance.now();
  const app = await _electron.launch({ executablePath: command, args, env: { ...env, ...display.env, LONGSIGHT_TEST: "1" } });
  try {
    const page = await app.firstWindow();
    await page.waitForFunction(() => performance.getEntriesByName("longsight:interactive").length > 0, null, {
      polling: 20,
      timeout: 60_000,
    });
    const windowMs = performance.now() - launched;
    const call = (method, payload) => page.evaluate(callInPage, [method, payload]);

    const deadline = performance.now() + 120_000;
    while ((await call("currentModel", {})).value === null) {
      if (performance.now() > deadline) throw new Error("No model was loaded within two minutes.");
      await page.waitForTimeout(20);
    }
    const modelMs = performance.now() - launched;

    const { value: opened } = await call("openDocument", { path: document });
    const documents = [{ documentId: opened.id, pages: null }];
    const { value: conversation } = await call("createConversation", { documents });
    const sampling = { temperature: 0, topP: 0.95, topK: 40, minP: 0.05, seed: 1, maxTokens: 8, stop: [] };
    const question = "How often is the pump checked?";
    const asked = {
      conversationId: conversation.id,
      question,
      replaceTurnId: null,
      sampling,
      budget: "full",
      policy: "full",
      mode: "question",
    };
    const { value, firstTokenMs } = await call("ask", asked);
    const { figures } = value;
    return {
      prepareMs,
      windowMs,
      modelMs,
      firstTokenMs,
      documentTokens: figures.documentTokens,
      promptTokens: figures.promptTokens,
      prefillMs: figures.timings.prefillMs,
      prefillTokensPerSecond: figures.prefillTokensPerSecond,
    };
  } finally {
    await app.close();
    await rm(data, { recursive: true, force: true });
  }
}

const { electron } = await setup({});
if (!electron) throw new Error("There is no Electron to measure (see above).");
await build();
const display = await anyDisplay();
if (!display) throw new Error("There is no display. Install Xvfb (Debian and Ubuntu: apt install xvfb).");
const folder = await mkdtemp(join(tmpdir(), "longsight-bench-document-"));
try {
  const document = join(folder, "plant.txt");
  await writeFile(document, proseOf(38));
  const measured = [];
  for (let run = 1; run <= runs; run += 1) {
    const figures = await measure(electron, display, document);
    measured.push(figures);
    const shown = ["windowMs", "modelMs", "firstTokenMs"].map((key) => `${key} ${Math.round(figures[key])}`).join(" · ");
    console.error(`Run ${run} of ${runs}: ${shown} · ${figures.documentTokens} document tokens`);
  }
  const result = { electron: `${electron.version} (${electron.source})`, medians: medians(measured), runs: measured };
  console.log(JSON.stringify(result.medians, null, 2));
  console.error(`Raw figures: ${await writeResults("start", result)}`);
} finally {
  await display.stop();
  await rm(folder, { recursive: true, force: true });
}
