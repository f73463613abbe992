// How the window answers a person while the engine reads a prompt: frames, tasks, and the time from an input to the frame that shows it; beside it the same
// while the engine rests.
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { medians } from "../figures.mjs";
import { actions } from "../window/actions.mjs";
import { processesOf, startApp } from "../window/app.mjs";
import { doAction, judgeActions, recordTrace } from "../window/doAction.mjs";

const contextLength = 49_152;
const question = "Which part is checked most often, and what is done above its limit?";
const chosen = ["type a question", "scroll the pages"].map((name) => actions.find((action) => action.name === name));
const phases = ["at rest", "while reading"];

/** In the page: notes how long each key and turn of the wheel takes to the end of the frame after it. */
function startInputs() {
  const delays = [];
  const types = ["keydown", "wheel"];
  const onInput = ({ timeStamp }) => {
    requestAnimationFrame(() => {
      // A task behind a frame runs when the frame has been drawn.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => delays.push(performance.now() - timeStamp);
      port2.postMessage(null);
    });
  };
  const options = { capture: true, passive: true };
  for (const type of types) window.addEventListener(type, onInput, options);
  globalThis.longsightInputs = () => {
    for (const type of types) window.removeEventListener(type, onInput, options);
    return delays;
  };
}

async function doWithInputs(page, action, phase) {
  await page.evaluate(startInputs);
  const name = `${action.name}, ${phase}`;
  const done = await doAction(page, { ...action, name });
  console.error(`  ${name}: done`);
  return { ...done, action: action.name, phase, delays: await page.evaluate(() => globalThis.longsightInputs()) };
}

/** Asks, and waits until the prompt is being read. @returns what says that it still is */
async function beginReading(page) {
  await page.getByRole("textbox", { name: "Question" }).fill(question);
  await page.getByRole("button", { name: "Send" }).click({ timeout: 60_000 });
  const reading = page.getByTestId("progress").filter({ hasText: "Reading the document" });
  await reading.waitFor({ timeout: 120_000 });
  return () => reading.isVisible();
}

async function measure({ electron, env, app, tools }, pages) {
  const data = await mkdtemp(join(tmpdir(), "longsight-app-busy-"));
  const trace = join(data, "trace.json");
  try {
    await tools.writeDesk({ folder: data, pages, messages: 4, contextLength });
    const started = await startApp({ electron, env, app, data });
    const { page } = started;
    let done;
    let pid;
    let documentTokens;
    const load = loadavg()[0];
    try {
      await page.locator('[data-testid="token-meter"][data-fits="true"]').waitFor({ timeout: 120_000 });
      const [, counted] = /([\d,]+) document/.exec(await page.getByTestId("token-meter").textContent()) ?? [];
      documentTokens = Number(counted?.replaceAll(",", ""));
      pid = (await processesOf(started.app)).find(({ role }) => role === "renderer").pid;
      // Each once before, so that those at rest are not the ones that find nothing warm.
      for (const action of chosen) await doAction(page, action);
      done = await recordTrace(started.app, trace, async () => {
        const results = [];
        for (const action of chosen) results.push(await doWithInputs(page, action, phases[0]));
        const isReading = await beginReading(page);
        for (const action of chosen) results.push(await doWithInputs(page, action, phases[1]));
        if (!(await isReading())) throw new Error(`${documentTokens} tokens were read before all was measured. Take more --pages.`);
        await page.getByRole("button", { name: "Stop" }).click();
        return results;
      });
      if (started.faults.length > 0) throw new Error(`The window had faults:\n${started.faults.join("\n")}`);
    } finally {
      await started.app.close();
    }
    const smooth = await judgeActions(tools, trace, pid, done);
    const measured = done.map(({ action, phase, delays }, index) => {
      const { name: _, ...figures } = smooth[index];
      return { action, phase, ...tools.delaysOf(delays), ...figures };
    });
    return { load, documentTokens, measured };
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

export async function measureBusy(window, pages, rounds) {
  const runs = [];
  for (let round = 1; round <= rounds; round += 1) {
    runs.push(await measure(window, pages));
    console.error(`at rest and while reading, round ${round} of ${rounds}`);
    for (const { long: _, ...figures } of runs.at(-1).measured) console.error(`  ${JSON.stringify(figures)}`);
  }
  const summary = phases.flatMap((phase) =>
    chosen.map(({ name }) => {
      const own = runs.map(({ measured }) => measured.find((one) => one.action === name && one.phase === phase));
      return { action: name, phase, ...medians(own.map(({ action: _action, phase: _phase, long: _long, ...figures }) => figures)) };
    }),
  );
  console.log(`${runs[0].documentTokens} document tokens, medians of ${rounds} rounds; milliseconds`);
  console.table(Object.fromEntries(summary.map(({ action, phase, ...figures }) => [`${action}, ${phase}`, figures])));
  return { documentTokens: runs[0].documentTokens, limitMs: window.tools.limitMs, summary, runs };
}
