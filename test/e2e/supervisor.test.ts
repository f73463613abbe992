import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test as base, expect, launchOf, startSecond } from "./support/longsight.ts";
import { makeStandInApp } from "./support/standInApp.ts";

/** The real main and preload with an engine that has faults to order. */
const test = base.extend<object, { standIn: string }>({
  standIn: [
    async ({ playwright: _ }, use) => {
      const { folder, remove } = await makeStandInApp();
      await use(folder);
      await remove();
    },
    { scope: "worker" },
  ],
});

/** Process id of the page of the app that runs on this user data. */
async function pageProcess(userData: string): Promise<number> {
  for (const entry of await readdir("/proc")) {
    const line = await readFile(join("/proc", entry, "cmdline"), "utf8").catch(() => "");
    if (line.includes("--type=renderer") && line.includes(userData)) return Number(entry);
  }
  throw new Error("No page runs.");
}

test("an engine that is killed leaves the window alive, says why, and starts again", async ({ start, standIn }) => {
  const longsight = await start({ app: standIn });
  await expect.poll(() => longsight.shell("getEngineState", {})).toEqual({ ok: true, value: { state: "ready" } });
  await longsight.killEngine();
  const stopped = { state: "stopped", problem: { code: "engine-died", message: expect.stringContaining("ended from outside") } };
  await expect.poll(() => longsight.shell("getEngineState", {})).toMatchObject({ ok: true, value: stopped });
  const [refused] = await longsight.callEngine("about", {});
  expect(refused).toMatchObject({ event: "error", problem: { code: "engine-died" } });

  expect(await longsight.shell("restartEngine", {})).toEqual({ ok: true, value: { state: "starting" } });
  await expect.poll(() => longsight.shell("getEngineState", {})).toEqual({ ok: true, value: { state: "ready" } });
  expect(await longsight.callEngine("about", {})).toMatchObject([{ event: "result" }]);
});

test("an engine that hangs is told to the window, can be replaced, and does not hold up the app's end", async ({ start, standIn }) => {
  test.skip(process.platform === "win32", "Windows cannot halt a process by a signal");
  const longsight = await start({ app: standIn });
  const state = () => longsight.shell("getEngineState", {});
  await expect.poll(state).toEqual({ ok: true, value: { state: "ready" } });
  const halt = async () => {
    const pid = (await longsight.enginePid()) ?? 0;
    process.kill(pid, "SIGSTOP");
    return pid;
  };
  const first = await halt();
  await expect
    .poll(state, { timeout: 16_000 })
    .toMatchObject({ value: { state: "unresponsive", problem: { message: expect.stringContaining("for 10 seconds") } } });
  expect(await longsight.shell("restartEngine", {})).toEqual({ ok: true, value: { state: "starting" } });
  await expect.poll(state).toEqual({ ok: true, value: { state: "ready" } });
  expect(await longsight.callEngine("about", {})).toMatchObject([{ event: "result" }]);

  const second = await halt();
  expect(second).not.toBe(first);
  await longsight.quit();
  for (const pid of [first, second]) expect(() => process.kill(pid, 0)).toThrow();
});

test("what an engine found at its start is told in a box", async ({ start, standIn }) => {
  const longsight = await start({ app: standIn, environment: { LONGSIGHT_STAND_IN: "has a notice", LONGSIGHT_TEST: "0" } });
  await longsight.electronApp.evaluate(({ dialog }) => {
    dialog.showMessageBox = async (...given: unknown[]) => {
      Object.assign(globalThis, { told: given.at(-1) });
      return { response: 0, checkboxChecked: false };
    };
  });
  // The first start was too early for the stand-in of the box.
  await longsight.killEngine();
  await expect.poll(() => longsight.shell("getEngineState", {})).toMatchObject({ value: { state: "stopped" } });
  await longsight.shell("restartEngine", {});
  await expect
    .poll(() => longsight.electronApp.evaluate(() => Reflect.get(globalThis, "told")))
    .toMatchObject({ message: "A damaged file was put aside." });
});

test("a damaged file of conversations is put aside and a new one begun", async ({ start, userData }) => {
  await writeFile(join(userData, "longsight.db"), "This is somebody's letter, not a database.\n".repeat(200));
  const longsight = await start();
  await expect.poll(() => longsight.shell("getEngineState", {})).toEqual({ ok: true, value: { state: "ready" } });
  const [created] = await longsight.callEngine("createConversation", { documents: [] });
  expect(created).toMatchObject({ event: "result" });
  expect((await readdir(userData)).filter((name) => name.startsWith("longsight.db.damaged-"))).toHaveLength(1);
  await expect.poll(() => readFile(join(userData, "logs", "engine.log"), "utf8")).toMatch(/damaged.*put aside/);
});

test("an engine that crashes in the middle of a call is told to the window", async ({ start, standIn }) => {
  const longsight = await start({ app: standIn });
  await longsight.page.evaluate(() => {
    const states: unknown[] = [];
    window.longsight.onShellEvent((event) => states.push(event));
    Object.assign(window, { states });
  });
  await expect.poll(() => longsight.shell("getEngineState", {})).toMatchObject({ value: { state: "ready" } });
  await longsight.callEngine("currentModel", {}, 500).catch(() => undefined);
  await expect
    .poll(() => longsight.page.evaluate(() => JSON.stringify(Reflect.get(window, "states"))))
    .toContain("it crashed (exit code 6)");
});

test("an engine that cannot work says so in its own words", async ({ start, standIn }) => {
  const longsight = await start({ app: standIn, environment: { LONGSIGHT_STAND_IN: "fails at start" } });
  await expect
    .poll(() => longsight.shell("getEngineState", {}))
    .toMatchObject({
      value: { state: "stopped", problem: { code: "engine-native", message: "The native part is missing. Run npm start." } },
    });
});

test("an engine that dies at its start is told as one that could not start", async ({ start, standIn }) => {
  const longsight = await start({ app: standIn, environment: { LONGSIGHT_STAND_IN: "dies at start" } });
  await expect
    .poll(() => longsight.shell("getEngineState", {}))
    .toMatchObject({ value: { state: "stopped", problem: { message: expect.stringMatching(/could not start.*exit code 7/) } } });
});

test("closing a call's port reaches the engine, and so does a reload of the page", async ({ start, standIn }) => {
  const longsight = await start({ app: standIn });
  await expect.poll(() => longsight.shell("getEngineState", {})).toMatchObject({ value: { state: "ready" } });
  const log = () => readFile(join(longsight.userData, "logs", "engine.log"), "utf8").catch(() => "");
  await longsight.page.evaluate(() => {
    const { port1, port2 } = new MessageChannel();
    window.postMessage({ type: "longsight:engine-call", call: { method: "about", payload: {} } }, window.location.origin, [port2]);
    port1.onmessage = () => {
      port1.postMessage({ kind: "cancel" });
      port1.close();
    };
  });
  await expect.poll(log).toBe('message {"kind":"cancel"}\nport closed\n');
  await longsight.callEngine("about", {});
  await longsight.page.reload();
  await expect.poll(log).toBe('message {"kind":"cancel"}\nport closed\nport closed\n');
});

test("the engine gets an environment without secrets and switches", async ({ start, standIn }) => {
  const longsight = await start({ app: standIn, environment: { MY_TOKEN: "secret", NODE_OPTIONS: "", LONGSIGHT_MODELS: "/models" } });
  const [event] = await longsight.callEngine("about", {});
  const text = JSON.stringify(event);
  expect(text).toContain("LONGSIGHT_MODELS");
  expect(text).not.toMatch(/MY_TOKEN|NODE_OPTIONS|ELECTRON_/);
});

test("the app ends within seconds although its engine does not", async ({ start, standIn }) => {
  const longsight = await start({ app: standIn, environment: { LONGSIGHT_STAND_IN: "never quits" } });
  await expect.poll(() => longsight.shell("getEngineState", {})).toMatchObject({ value: { state: "ready" } });
  const pid = await longsight.enginePid();
  const began = Date.now();
  await longsight.quit();
  expect(Date.now() - began).toBeLessThan(6000);
  expect(() => process.kill(pid ?? 0, 0)).toThrow();
});

test("quitting while the engine works is asked about", async ({ start, standIn }) => {
  const longsight = await start({ app: standIn, environment: { LONGSIGHT_STAND_IN: "busy", LONGSIGHT_TEST: "0" } });
  await expect.poll(() => longsight.shell("getEngineState", {})).toMatchObject({ value: { state: "ready" } });
  const answerWith = (response: number) =>
    longsight.electronApp.evaluate(({ dialog }, chosen) => {
      dialog.showMessageBox = async (...given: unknown[]) => {
        Object.assign(globalThis, { asked: given.at(-1) });
        return { response: chosen, checkboxChecked: false };
      };
    }, response);
  await answerWith(1);
  await longsight.electronApp.evaluate(({ app }) => app.quit());
  await expect
    .poll(() => longsight.electronApp.evaluate(() => Reflect.get(globalThis, "asked")))
    .toMatchObject({ message: "Quit while Longsight is still working?", buttons: ["Quit", "Keep Working"] });
  expect(await longsight.shell("getEngineState", {})).toEqual({ ok: true, value: { state: "ready" } });
  await answerWith(0);
  const ended = new Promise((done) => longsight.process.once("exit", done));
  await longsight.electronApp.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await ended;
});

test("a page whose process dies is loaded again", async ({ userData, standIn }) => {
  test.skip(process.platform !== "linux", "finds the page's process in /proc");
  // Without Playwright, which holds on to the page that died.
  const { command, args, env } = launchOf(userData, { app: standIn });
  const child = spawn(command, args, { env, stdio: "ignore" });
  const ended = new Promise((done) => child.once("exit", done));
  try {
    const loads = async () => JSON.parse(await readFile(join(userData, "settings.json"), "utf8").catch(() => "{}")).lastConversation;
    await expect.poll(loads).toBe("1");
    const page = await pageProcess(userData);
    process.kill(page, "SIGKILL");
    await expect.poll(loads).toBe("2");
    expect(await pageProcess(userData)).not.toBe(page);
  } finally {
    child.kill();
    await ended;
  }
});

test("a second start hands its files to the first and ends", async ({ start, standIn, userData }) => {
  const longsight = await start({ app: standIn });
  await longsight.page.evaluate(() => {
    const events: unknown[] = [];
    window.longsight.onShellEvent((event) => events.push(event));
    Object.assign(window, { events });
  });
  expect(await startSecond(userData, { app: standIn, files: ["/sécond 'file'.pdf", "other.md"] })).toBe(0);
  await expect.poll(() => longsight.page.evaluate(() => Reflect.get(window, "events"))).toContainEqual({ event: "files-to-open" });
  const files = ["/sécond 'file'.pdf", join(process.cwd(), "other.md")];
  expect(await longsight.shell("takeFilesToOpen", {})).toEqual({ ok: true, value: files });
});

test("files of the command line are handed out once; broken settings cost only the broken fields", async ({ start, standIn, userData }) => {
  await writeFile(
    join(userData, "settings.json"),
    '{"theme":"purple","threads":2,"window":{"x":10,"y":20,"width":1000,"height":700,"maximised":false}}',
  );
  const longsight = await start({ app: standIn, files: ["relative ü.pdf", "/absolute.md"] });
  expect(await longsight.shell("takeFilesToOpen", {})).toEqual({
    ok: true,
    value: [join(process.cwd(), "relative ü.pdf"), "/absolute.md"],
  });
  expect(await longsight.shell("takeFilesToOpen", {})).toEqual({ ok: true, value: [] });
  expect(await longsight.shell("getSettings", {})).toMatchObject({
    ok: true,
    value: { theme: "system", threads: 2, window: { width: 1000 } },
  });
  const bounds = await longsight.electronApp.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
  expect(bounds).toMatchObject({ width: 1000, height: 700 });
});
