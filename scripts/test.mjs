// Everything that is tested, from a fresh clone: npm test [-- check|unit|python|engine|guard|e2e …]. The last line is the sum.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "./build.mjs";
import { closingLine, countPlaywright, countReport, countVitest, noCounts, sum } from "./counts.mjs";
import { readJson, root } from "./files.mjs";
import { hand, messageOf } from "./run.mjs";
import { setup } from "./setup.mjs";

const reports = join(root, "out", "test");
const onCi = process.env.CI === "true";

async function runCheck() {
  const { check } = await import("./check.mjs");
  const { passed, failed } = await check();
  return { passed, failed, skipped: 0 };
}

/** Runs a tool of node_modules that writes a JSON report; its own output is shown as it comes. */
async function runTool(script, args, report, env = {}) {
  await rm(report, { force: true });
  const code = await hand(process.execPath, [join(root, "node_modules", script), ...args], { cwd: root, env: { ...process.env, ...env } });
  return { code, report: await readJson(report) };
}

async function runVitest(project) {
  const file = join(reports, `${project}.json`);
  const args = ["run", "--project", project, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const { code, report } = await runTool("vitest/vitest.mjs", args, file);
  return countVitest(report, code);
}

async function runPython() {
  const [{ learningPython }, { progress }] = await Promise.all([import("./module.mjs"), import("./progress.mjs")]);
  const shown = progress();
  const { command, args, env, cwd } = await learningPython({ say: shown.say }).finally(shown.end);
  const file = join(reports, "python.json");
  await rm(file, { force: true });
  const code = await hand(command, [...args, "-m", "tests", "--report", file], { cwd, env });
  return countReport(await readJson(file), code);
}

/** Speed and quality against what they were; what could not be looked at is a failure on CI, where everything is there. */
async function runGuard() {
  const file = join(reports, "guard.json");
  await rm(file, { force: true });
  const code = await hand(process.execPath, [join(root, "bench", "guard.mjs"), "--report", file], { cwd: root });
  const counts = countReport(await readJson(file), code);
  return onCi ? { ...counts, failed: counts.failed + counts.skipped, skipped: 0 } : counts;
}

/** What cannot run is a failure on CI and, said loudly, a skip anywhere else. */
function cannot(reason) {
  console.log(`\n!!! The end-to-end tests were NOT RUN: ${reason}\n`);
  return onCi ? { passed: 0, failed: 1, skipped: 0 } : { passed: 0, failed: 0, skipped: 1 };
}

async function runEndToEnd(electron) {
  if (!electron) return cannot("there is no Electron that starts here (see above).");
  const { anyDisplay } = await import("./display.mjs");
  const display = await anyDisplay();
  if (!display) return cannot("there is no display. Install Xvfb (Debian and Ubuntu: apt install xvfb).");
  const file = join(reports, "e2e.json");
  try {
    const env = { ...display.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
    const { code, report } = await runTool("@playwright/test/cli.js", ["test", "--reporter=list,json"], file, env);
    return countPlaywright(report, code);
  } finally {
    await display.stop();
  }
}

/** The parts in their order: the quick ones first. */
const parts = {
  check: runCheck,
  unit: () => runVitest("unit"),
  python: runPython,
  engine: () => runVitest("engine"),
  guard: runGuard,
  e2e: ({ electron }) => runEndToEnd(electron),
};

async function test(wanted) {
  const unknown = wanted.filter((name) => !(name in parts));
  if (unknown.length > 0) throw new Error(`There is no part "${unknown.join(", ")}": choose from ${Object.keys(parts).join(", ")}.`);
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const names = wanted.length > 0 ? wanted : Object.keys(parts);
  const need = ["packages", "native", "model"];
  if (names.includes("e2e")) need.push("electron");
  if (names.includes("engine")) need.push("modules");
  const found = await setup({ need });
  console.log(`Set-up is complete after ${seconds()} s. Building.`);
  await build();

  let counts = noCounts();
  for (const name of names) {
    console.log(`\n=== ${name} (after ${seconds()} s) ===`);
    const part = await parts[name](found);
    console.log(`=== ${name}: ${closingLine(part)} ===`);
    counts = sum(counts, part);
  }
  console.log(`\nAll parts took ${seconds()} s.`);
  return counts;
}

let counts;
try {
  counts = await test(process.argv.slice(2));
} catch (error) {
  console.error(messageOf(error));
  counts = { ...noCounts(), failed: 1 };
}
process.exitCode = counts.failed > 0 ? 1 : 0;
console.log(closingLine(counts));
