// The built app for the benches of the window: its own main, preload and renderer, and its own engine, in which only the scores of prompts
// that were never read are made (scoreShelf.ts). Reading 30,000 tokens takes minutes and says nothing of the window.
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron } from "@playwright/test";
import { build as bundle } from "esbuild";
import { build, bundleOptions, copyBesideWorkers } from "../../scripts/build.mjs";
import { anyDisplay } from "../../scripts/display.mjs";
import { electronLaunch } from "../../scripts/electron.mjs";
import { root } from "../../scripts/files.mjs";
import { setup } from "../../scripts/setup.mjs";
import { bundleBench } from "../bundle.mjs";

/** Takes the bench's shelf of scores wherever the engine takes its own. */
const madeScores = {
  name: "made-scores",
  setup(build) {
    const shelf = join(root, "bench", "window", "scoreShelf.ts");
    build.onResolve({ filter: /\/scoreShelf\.ts$/ }, ({ importer }) => (importer === shelf ? null : { path: shelf }));
  },
};

/**
 * What a bench of the window begins with: everything built, a display, and the app to be started.
 * @param {{ madeScores?: boolean }} [options] whether scores of prompts that were never read are made; without, it is the app as it is
 * @returns `end` removes what was made of the app and ends the display
 */
export async function prepareWindow({ madeScores = true } = {}) {
  const { electron } = await setup({});
  if (!electron) throw new Error("There is no Electron to measure (see above).");
  await build();
  const { exported: tools } = await bundleBench("window/main");
  const display = await anyDisplay();
  if (!display) throw new Error("There is no display. Install Xvfb (Debian and Ubuntu: apt install xvfb).");
  const { folder, remove } = madeScores ? await makeBenchApp() : { folder: root, remove: async () => {} };
  const end = async () => {
    await remove();
    await display.stop();
  };
  return { electron, tools, env: display.env, app: folder, end };
}

/** @returns {Promise<{ folder: string, remove: () => Promise<void> }>} an app folder beside the packages, so that the native part is found */
async function makeBenchApp() {
  await mkdir(join(root, "out"), { recursive: true });
  const folder = await mkdtemp(join(root, "out", "bench-app-"));
  const out = join(folder, "out");
  const engine = join(out, "engine");
  await mkdir(out);
  await cp(join(root, "package.json"), join(folder, "package.json"));
  for (const part of ["main", "preload", "renderer"]) await symlink(join(root, "out", part), join(out, part), "junction");
  await symlink(join(root, "assets"), join(folder, "assets"), "junction");
  await cp(join(root, "out", "engine"), engine, { recursive: true });
  await copyBesideWorkers(engine);
  const entry = join(root, "bench", "window", "engine.ts");
  await bundle({ ...bundleOptions(), entryPoints: [entry], outfile: join(engine, "engine.cjs"), plugins: [madeScores] });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Starts it.
 * @param {{ electron: import("../../scripts/electron.mjs").Electron, env: Record<string, string>, app: string, data: string }} where
 * @returns its processes and its window, of which errors are kept in `faults`
 */
export async function startApp({ electron, env, app, data }) {
  const launch = electronLaunch(electron, ["--disable-gpu", `--user-data-dir=${data}`], { app });
  const started = await _electron.launch({
    executablePath: launch.command,
    args: launch.args,
    env: { ...launch.env, ...env, LANGUAGE: "en", LONGSIGHT_TEST: "1" },
    timeout: 60_000,
  });
  const page = await started.firstWindow();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.stack ?? error.message));
  page.on("crash", () => faults.push("The window crashed."));
  await page.waitForLoadState("load");
  await page.getByTestId("token-meter").waitFor({ timeout: 60_000 });
  return { app: started, page, faults };
}

/**
 * Starts it with data of its own and waits for its model; both are gone when `use` has ended.
 * @param {{ electron: import("../../scripts/electron.mjs").Electron, env: Record<string, string>, app: string, tools: object }} window as prepareWindow gives it
 * @param {string} name of the folder
 * @param {(started: Awaited<ReturnType<typeof startApp>>) => Promise<T>} use
 * @returns {Promise<T>} what `use` returns
 * @throws Error where the window had faults
 * @template T
 */
export async function withReadyApp({ electron, env, app, tools }, name, use) {
  const data = await mkdtemp(join(tmpdir(), `longsight-${name}-`));
  try {
    await tools.writeSettings(data, { contextLength: 16_384 });
    const started = await startApp({ electron, env, app, data });
    try {
      await started.page.getByRole("banner").getByText("ready").waitFor({ timeout: 120_000 });
      const result = await use(started);
      if (started.faults.length > 0) throw new Error(`The window had faults:\n${started.faults.join("\n")}`);
      return result;
    } finally {
      await started.app.close();
    }
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

/** Process ids by what they are for: main, renderer, engine and the rest of Chromium's. */
export async function processesOf(app) {
  const metrics = await app.evaluate(({ app: own }) => own.getAppMetrics().map(({ pid, type, name }) => ({ pid, type, name })));
  const roleOf = ({ type, name }) => {
    if (name === "longsight-engine") return "engine";
    return { Browser: "main", Tab: "renderer" }[type] ?? "chromium";
  };
  return metrics.map((metric) => ({ pid: metric.pid, role: roleOf(metric) }));
}
