// How smooth the window stays with a document of 30,000 tokens and 200 messages: frames and tasks of its main thread while one scrolls, slides
// the budget with the heat on, and types. Wanted: none above 50 ms.
//
//   npm run bench -- window [--rounds N] [--pages N] [--messages N] [--only TEXT] [--keep-traces]
import { mkdtemp, rename, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/files.mjs";
import { medians, writeResults } from "./figures.mjs";
import { actions } from "./window/actions.mjs";
import { prepareWindow, processesOf, startApp } from "./window/app.mjs";
import { doAction, judgeActions, recordTrace } from "./window/doAction.mjs";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    pages: { type: "string", default: "26" },
    messages: { type: "string", default: "200" },
    only: { type: "string", default: "" },
    "keep-traces": { type: "boolean", default: false },
  },
});
const [rounds, pages, messages] = [options.rounds, options.pages, options.messages].map(Number);
const chosen = actions.filter(({ name }) => name.includes(options.only));
if (chosen.length === 0) throw new Error(`There is no such action. There are: ${actions.map(({ name }) => name).join("; ")}.`);
const contextLength = 49_152;

/** Everything once, in an app of its own. */
async function measure(round, { electron, env, app, tools }) {
  const data = await mkdtemp(join(tmpdir(), "longsight-window-"));
  const trace = join(data, "trace.json");
  try {
    await tools.writeDesk({ folder: data, pages, messages, contextLength });
    const started = await startApp({ electron, env, app, data });
    const { page } = started;
    let done;
    let pid;
    let documentTokens;
    try {
      await page.locator('[data-testid="heat-bar"][data-status="ready"]').waitFor({ timeout: 120_000 });
      await page.locator('[data-testid="token-meter"][data-fits="true"]').waitFor({ timeout: 60_000 });
      const [, counted] = /([\d,]+) document/.exec(await page.getByTestId("token-meter").textContent()) ?? [];
      documentTokens = Number(counted?.replaceAll(",", ""));
      const turns = await page.getByTestId("answer").count();
      if (turns !== messages / 2) throw new Error(`The window shows ${turns} answers, not ${messages / 2}.`);
      pid = (await processesOf(started.app)).find(({ role }) => role === "renderer").pid;
      done = await recordTrace(started.app, trace, async () => {
        const results = [];
        for (const action of chosen) results.push(await doAction(page, action));
        return results;
      });
      if (started.faults.length > 0) throw new Error(`The window had faults:\n${started.faults.join("\n")}`);
    } finally {
      await started.app.close();
    }
    const measured = await judgeActions(tools, trace, pid, done);
    if (options["keep-traces"]) await rename(trace, join(root, "out", `window-trace-${round}.json`));
    return { documentTokens, load: loadavg()[0], measured };
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

const { electron, tools, env, app, end } = await prepareWindow();
const runs = [];
try {
  for (let round = 1; round <= rounds; round += 1) {
    runs.push(await measure(round, { electron, env, app, tools }));
    console.error(`round ${round} of ${rounds}, load ${runs.at(-1).load.toFixed(1)}, ${runs.at(-1).documentTokens} document tokens`);
    for (const { name, long: _long, ...figures } of runs.at(-1).measured) console.error(`  ${name}: ${JSON.stringify(figures)}`);
  }
} finally {
  await end();
}
const summary = chosen.map(({ name }) => {
  const own = runs.map(({ measured }) => measured.find((action) => action.name === name));
  return { name, ...medians(own.map(({ name: _name, long: _long, ...figures }) => figures)) };
});
console.log(`${runs[0].documentTokens} document tokens, ${messages} messages, medians of ${rounds} rounds; milliseconds`);
console.table(Object.fromEntries(summary.map(({ name, ...figures }) => [name, figures])));
const command = `npm run bench -- window --rounds ${rounds} --pages ${pages} --messages ${messages}`;
const results = { command, electron: `${electron.version} (${electron.source})`, messages, limitMs: tools.limitMs, summary, runs };
if (options.only === "") console.log(`raw figures: ${await writeResults("window", results)}`);
