import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, type ElectronApplication, _electron as electron, expect, type Page, type TestInfo } from "@playwright/test";
import { z } from "zod";
import type { EngineEvent, EngineMethod } from "../../../electron/contract/engine.ts";
import type { LongsightBridge, ShellMethod } from "../../../electron/contract/shell.ts";
import { electronLaunch } from "../../../scripts/electron.mjs";
import { electronVariable } from "./globalSetup.ts";

declare global {
  interface Window {
    readonly longsight: LongsightBridge;
  }
}

const electronSchema = z.object({ path: z.string(), version: z.string(), source: z.enum(["npm", "override", "wheel"]) });

export type StartOptions = {
  /** Files given on the command line. */
  readonly files?: readonly string[];
  /** Chromium's own, beside those of every test. */
  readonly switches?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Folder of an app other than this checkout's. */
  readonly app?: string;
};

/** How the tests start Longsight: command, arguments and environment. */
export function launchOf(userData: string, { files = [], switches = [], environment = {}, app }: StartOptions) {
  const found = electronSchema.parse(JSON.parse(process.env[electronVariable] ?? "null"));
  const args = ["--no-sandbox", "--disable-gpu", `--user-data-dir=${userData}`, ...switches, ...files];
  const { command, args: all, env } = electronLaunch(found, args, app === undefined ? {} : { app });
  return { command, args: all, env: { ...env, LANGUAGE: "en", LONGSIGHT_TEST: "1", ...environment } };
}

/** A running Longsight with its first window. */
export class Longsight {
  readonly electronApp: ElectronApplication;
  readonly page: Page;
  readonly userData: string;
  /** The main process. */
  readonly process: ChildProcess;
  readonly #lines: string[];

  constructor(electronApp: ElectronApplication, page: Page, userData: string, lines: string[]) {
    this.electronApp = electronApp;
    this.process = electronApp.process();
    this.page = page;
    this.userData = userData;
    this.#lines = lines;
  }

  /** Everything that the page wrote to its console. */
  get console(): readonly string[] {
    return this.#lines.filter((line) => line.startsWith("page "));
  }

  /** Asks main as the page would. */
  shell(method: ShellMethod, payload: unknown): Promise<unknown> {
    return this.page.evaluate(([name, request]) => window.longsight.shell(name, request), [method, payload] as const);
  }

  /** Calls the engine as the page would; resolves with all events, after the last one. `limitMs` ends the wait. */
  callEngine(method: EngineMethod, payload: unknown, limitMs = 30_000): Promise<EngineEvent[]> {
    return this.page.evaluate(
      ([name, request, limit]) =>
        new Promise<EngineEvent[]>((done, fail) => {
          const { port1, port2 } = new MessageChannel();
          const events: EngineEvent[] = [];
          setTimeout(() => fail(new Error(`${name} did not end within ${limit} ms`)), limit);
          port1.onmessage = ({ data }: MessageEvent<EngineEvent>) => {
            events.push(data);
            if (data.event === "result" || data.event === "error") done(events);
          };
          window.postMessage({ type: "longsight:engine-call", call: { method: name, payload: request } }, window.location.origin, [port2]);
        }),
      [method, payload, limitMs] as const,
    );
  }

  /** Process id of the engine, or null while none runs. */
  enginePid(): Promise<number | null> {
    return this.electronApp.evaluate(({ app }) => app.getAppMetrics().find(({ name }) => name === "longsight-engine")?.pid ?? null);
  }

  /** Processor seconds that the engine has used so far (Linux). */
  async engineSeconds(): Promise<number> {
    const pid = await this.enginePid();
    if (pid === null) return 0;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  async killEngine(): Promise<void> {
    const pid = await this.enginePid();
    if (pid === null) throw new Error("No engine runs.");
    process.kill(pid, "SIGKILL");
  }

  /** Ends the app as a power cut would. */
  async kill(): Promise<void> {
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.kill("SIGKILL");
    await ended;
  }

  /** Quits as a person would. */
  async quit(): Promise<void> {
    await this.electronApp.close();
  }

  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }
}

async function startLongsight(userData: string, options: StartOptions, lines: string[]): Promise<Longsight> {
  const { command, args, env } = launchOf(userData, options);
  const electronApp = await electron.launch({ executablePath: command, args, env, timeout: 30_000 });
  const keep = (name: string) => (chunk: Buffer) => lines.push(`${name} ${chunk.toString("utf8").trimEnd()}`);
  electronApp.process().stdout?.on("data", keep("stdout"));
  electronApp.process().stderr?.on("data", keep("stderr"));
  const page = await electronApp.firstWindow();
  page.on("console", (message) => lines.push(`page ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => lines.push(`page error: ${error.stack ?? error.message}`));
  page.on("crash", () => lines.push("page crashed"));
  await page.waitForLoadState("load");
  // Our page draws when it has the settings, and takes keys and drops from then on.
  if (options.app === undefined) await page.getByTestId("drop-area").waitFor();
  return new Longsight(electronApp, page, userData, lines);
}

async function attachLogs(testInfo: TestInfo, userData: string, lines: readonly string[]): Promise<void> {
  await testInfo.attach("output", { body: lines.join("\n"), contentType: "text/plain" });
  for (const name of ["main.log", "engine.log"]) {
    const body = await readFile(join(userData, "logs", name)).catch(() => null);
    if (body) await testInfo.attach(name, { body, contentType: "text/plain" });
  }
}

async function end(started: Longsight): Promise<void> {
  if (started.hasEnded) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, 10_000);
  });
  await Promise.race([started.quit().catch(() => undefined), late]);
  clearTimeout(timer);
  if (!started.hasEnded) await started.kill();
}

type Fixtures = {
  /** Name of the user's folder; tests that care about names override it. */
  readonly folderName: string;
  /** A fresh folder for the app's data. */
  readonly userData: string;
  /** Starts Longsight on this test's user data; whatever still runs at the end is ended. */
  readonly start: (options?: StartOptions) => Promise<Longsight>;
};

export const test = base.extend<Fixtures>({
  folderName: ["longsight-e2e-", { option: true }],
  userData: async ({ folderName }, use) => {
    const folder = await mkdtemp(join(tmpdir(), folderName));
    // The tour of a first start has tests of its own.
    await writeFile(join(folder, "settings.json"), JSON.stringify({ tourSeen: true }));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  },
  start: async ({ userData }, use, testInfo) => {
    const all: Longsight[] = [];
    const lines: string[] = [];
    await use(async (options = {}) => {
      const started = await startLongsight(userData, options, lines);
      all.push(started);
      return started;
    });
    for (const started of all) await end(started);
    if (testInfo.status !== testInfo.expectedStatus) await attachLogs(testInfo, userData, lines);
  },
});

/** Starts Longsight a second time beside a running one, on the same user data; resolves with its exit code. */
export function startSecond(userData: string, options: StartOptions): Promise<number | null> {
  const { command, args, env } = launchOf(userData, options);
  const child = spawn(command, args, { env, stdio: "ignore" });
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", done);
  });
}

export { expect };
