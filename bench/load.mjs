// How much a busy desktop slows an answer down: prefill and decode alone, beside two busy loops, and beside them with the spin
// count that OpenMP takes when nobody chooses one. The three take turns, so that the machine's moods fall on all. Each reads the whole prompt: no snapshots.
//
//   npm run bench -- load [--runs N] [--spins COUNT,…]      # other spin counts as well, each alone and beside the loops
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../scripts/build.mjs";
import { root } from "../scripts/files.mjs";
import { setup } from "../scripts/setup.mjs";
import { bundleBench } from "./bundle.mjs";
import { medians, writeResults } from "./figures.mjs";

const { values } = parseArgs({ options: { runs: { type: "string", default: "5" }, spins: { type: "string", default: "" } } });
const runs = Number(values.runs);
const busyLoops = 2;
/** libgomp's own choice for an unset wait policy. */
const libraryDefault = { GOMP_SPINCOUNT: "300000" };
const spins = values.spins.split(",").filter((count) => count !== "");

await setup({ need: ["packages", "native", "model"] });
await build({ only: ["engine", "cli"] });
const { speedsOf } = (await bundleBench("load/speedsOf")).exported;

const folder = await mkdtemp(join(tmpdir(), "longsight-load-"));
const file = join(folder, "logbook.txt");
await writeFile(
  file,
  Array.from({ length: 40 }, (_, day) => `Day ${day + 1}: wind ${(day * 7) % 12}, tide ${(day * 5) % 9}, ${day % 4} ships seen.`).join(
    "\n",
  ),
);

function startBusyLoops() {
  const children = Array.from({ length: busyLoops }, () => spawn(process.execPath, ["-e", "for (;;) {}"], { stdio: "ignore" }));
  return () => {
    for (const child of children) child.kill("SIGKILL");
  };
}

function ask(environment) {
  const args = ["ask", file, "--question", "Retell the logbook day by day.", "--max-tokens", "64", "--no-snapshots", "--json"];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, "out", "cli", "longsight.cjs"), ...args], {
      env: { ...process.env, ...environment },
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.resume();
    child.on("error", reject);
    child.on("close", () => {
      const done = output
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .find((event) => event.event === "done");
      if (done === undefined) reject(new Error(`No answer: ${output.slice(-300)}`));
      else resolve(done);
    });
  }).then(speedsOf);
}

async function besideLoops(environment) {
  const stop = startBusyLoops();
  try {
    return await ask(environment);
  } finally {
    stop();
  }
}

const measured = { alone: [], busy: [], busyLibraryDefault: [] };
for (const count of spins) {
  measured[`alone spin ${count}`] = [];
  measured[`busy spin ${count}`] = [];
}
try {
  await ask({});
  for (let run = 0; run < runs; run++) {
    measured.alone.push(await ask({}));
    measured.busy.push(await besideLoops({}));
    measured.busyLibraryDefault.push(await besideLoops(libraryDefault));
    for (const count of spins) {
      measured[`alone spin ${count}`].push(await ask({ GOMP_SPINCOUNT: count }));
      measured[`busy spin ${count}`].push(await besideLoops({ GOMP_SPINCOUNT: count }));
    }
    console.error(`run ${run + 1} of ${runs}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

const middle = Object.fromEntries(Object.entries(measured).map(([name, list]) => [name, medians(list)]));
const slower = (name, field) => Math.round((middle.alone[field] / middle[name][field]) * 100) / 100;
const slowdown = {
  decode: slower("busy", "decodeTokensPerSecond"),
  prefill: slower("busy", "prefillTokensPerSecond"),
  decodeLibraryDefault: slower("busyLibraryDefault", "decodeTokensPerSecond"),
};
const results = await writeResults("load", { busyLoops, runs, spins, medians: middle, slowdown, measured });
console.log(
  `decode: alone ${middle.alone.decodeTokensPerSecond} tokens/s, beside ${busyLoops} busy loops ${middle.busy.decodeTokensPerSecond} (${slowdown.decode} times slower)`,
);
console.log(
  `with libgomp's default spin count ${middle.busyLibraryDefault.decodeTokensPerSecond} (${slowdown.decodeLibraryDefault} times slower)`,
);
for (const count of spins) {
  const [alone, busy] = [middle[`alone spin ${count}`], middle[`busy spin ${count}`]];
  console.log(`spin count ${count}: alone ${alone.decodeTokensPerSecond} tokens/s, beside the loops ${busy.decodeTokensPerSecond}`);
}
console.log(`raw figures: ${results}`);
