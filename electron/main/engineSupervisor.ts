import { type EngineCall, type EngineEvent, type EngineInbox, type EngineStart, engineOutboxSchema } from "../contract/engine.ts";
import type { Problem } from "../contract/errors.ts";
import type { Said } from "../contract/messages/fill.ts";
import { assertNever } from "../contract/parse.ts";
import { type Message, say } from "../contract/said.ts";
import type { EngineState } from "../contract/shell.ts";
import { Heartbeat } from "./heartbeat.ts";

/** What the supervisor needs of a process; Electron's UtilityProcess is one. */
export type EngineChild<Port> = {
  /** Undefined before it runs and after it ended. */
  readonly pid: number | undefined;
  postMessage(message: EngineInbox, ports?: Port[]): void;
  kill(): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
  on(event: "exit", listener: (code: number) => void): unknown;
};

/** One end of a call's channel; Electron's MessagePortMain is one. */
export type CallPort = { postMessage(event: EngineEvent): void; close(): void };

export type SupervisorOptions<Port> = {
  readonly fork: () => EngineChild<Port>;
  readonly start: EngineStart;
  readonly onState: (state: EngineState) => void;
  readonly onLog: (line: string) => void;
  /** What the engine found at its start that the person should be told. */
  readonly onNotice?: (notice: string, said: Said | undefined) => void;
  /** Whether anybody waits for the engine: only then is it asked, now and then, whether it still answers. */
  readonly isWatched?: () => boolean;
  /** Ends a process that may not listen any more. */
  readonly endProcess?: (pid: number) => void;
  readonly pingEveryMs?: number;
  /** Milliseconds without an answer after which the engine is unresponsive. */
  readonly silentLimitMs?: number;
  /** Milliseconds that an engine may take to be ready before it is given up. */
  readonly readyLimitMs?: number;
};

const defaultReadyLimitMs = 90_000;
/** Electron tells why a process ended shortly before or after its exit; so long the reason is waited for. */
const reasonWaitMs = 250;
const defaultPingEveryMs = 2500;
const defaultSilentLimitMs = 10_000;
/** Milliseconds that an engine which was asked to end gets before it is killed. */
const graceMs = 3000;

type Gone = { readonly reason: string; readonly exitCode: number };

/** Why the system says that a process ended (Electron's child-process-gone), in words. */
const reasons: Readonly<Record<string, Message>> = {
  crashed: say("endCrashed"),
  killed: say("endKilled"),
  oom: say("endOutOfMemory"),
  "abnormal-exit": say("endWithError"),
  "launch-failed": say("endLaunchFailed"),
  "integrity-failure": say("endFilesChanged"),
};

const unknownEnd = (exitCode: number): Gone => ({ reason: "unknown", exitCode });

/** The problem that the window shows for an engine that ended. */
export function diedProblem(wasReady: boolean, { reason, exitCode }: Gone): Problem {
  const why = reasons[reason] ?? say("endUnexpected");
  return {
    code: "engine-died",
    ...say(wasReady ? "engineStopped" : "engineNotBegun", { why, code: exitCode }),
    detail: `reason ${reason}, exit code ${exitCode}`,
  };
}

function unresponsiveProblem(silentMs: number): Problem {
  const seconds = Math.round(silentMs / 1000);
  return { code: "engine-failed", ...say("engineSilent", { seconds }) };
}

const endedProblem: Problem = { code: "engine-died", ...say("engineEnded") };

/** SIGKILL: a process that is stopped, or never comes back from a call, heeds nothing else. */
function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

/** Keeps one engine process: starts it, passes calls on to it, tells when it died, ends it. */
export class EngineSupervisor<Port extends CallPort> {
  readonly #options: SupervisorOptions<Port>;
  #child: EngineChild<Port> | null = null;
  #state: EngineState = { state: "starting" };
  #busy = false;
  #gone: Gone | null = null;
  #readyTimer: NodeJS.Timeout | undefined;
  #goneTimer: NodeJS.Timeout | undefined;
  /** Set while the app ends: an exit is then expected. */
  #onQuitted: (() => void) | null = null;
  /** Processes that are being ended on purpose: what the system says of a death is then theirs. */
  readonly #leaving = new Set<EngineChild<Port>>();
  readonly #heartbeat: Heartbeat;

  constructor(options: SupervisorOptions<Port>) {
    this.#options = options;
    const { pingEveryMs = defaultPingEveryMs, silentLimitMs = defaultSilentLimitMs, isWatched = () => true } = options;
    this.#heartbeat = new Heartbeat({
      everyMs: pingEveryMs,
      limitMs: silentLimitMs,
      isWanted: isWatched,
      ping: () => this.#child?.postMessage({ kind: "ping" }),
      onSilent: () => this.#setState({ state: "unresponsive", problem: unresponsiveProblem(silentLimitMs) }),
      onBack: () => this.#setState({ state: "ready" }),
    });
  }

  get state(): EngineState {
    return this.#state;
  }

  /** Whether an answer or a document is being worked on. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Starts the engine where none runs; one that starts or runs is left alone. */
  start(): EngineState {
    if (this.#child || this.#onQuitted) return this.#state;
    const { fork, start, readyLimitMs = defaultReadyLimitMs } = this.#options;
    this.#busy = false;
    this.#gone = null;
    clearTimeout(this.#goneTimer);
    this.#setState({ state: "starting" });
    const child = fork();
    this.#child = child;
    child.on("message", (message) => {
      if (this.#child === child) this.#receive(message);
    });
    child.on("exit", (code) => {
      if (this.#child === child) this.#ended(code);
      else setTimeout(() => this.#leaving.delete(child), reasonWaitMs);
    });
    child.postMessage({ kind: "start", start });
    this.#readyTimer = setTimeout(() => this.#giveUp(readyLimitMs), readyLimitMs);
    return this.#state;
  }

  /** Starts the engine anew where it ended or no longer answers; one that starts or works is left alone. */
  restart(): EngineState {
    if (this.#state.state === "unresponsive") this.#drop(endedProblem, { atOnce: true });
    return this.start();
  }

  /** Hands a call and its port to the engine. With no engine, the caller is told at once and the port closed. */
  call(call: EngineCall, port: Port): void {
    if (this.#child && this.#state.state !== "stopped") {
      this.#child.postMessage({ kind: "call", call }, [port]);
      return;
    }
    const problem = this.#state.state === "stopped" ? this.#state.problem : diedProblem(true, this.#gone ?? unknownEnd(0));
    port.postMessage({ event: "error", problem });
    port.close();
  }

  /** Takes note of why the system says that the process ended (Electron's reason and exit code). */
  noteGone(gone: Gone): void {
    if (this.#leaving.size > 0) return;
    this.#gone = gone;
    if (!this.#child && this.#state.state !== "stopped" && !this.#onQuitted) this.#setStopped(gone);
  }

  /** Lets the engine finish and ends it; resolves within `limitMs` milliseconds. */
  async quit(limitMs = graceMs): Promise<void> {
    const leaving = [...this.#leaving];
    const child = this.#child;
    this.#heartbeat.stop();
    clearTimeout(this.#readyTimer);
    if (child) {
      let timer: NodeJS.Timeout | undefined;
      const heeded = await new Promise<boolean>((done) => {
        timer = setTimeout(() => done(false), limitMs);
        this.#onQuitted = () => done(true);
        child.postMessage({ kind: "quit" });
      });
      clearTimeout(timer);
      this.#child = null;
      if (heeded) child.kill();
      else this.#endNow(child);
    }
    for (const late of leaving) this.#endNow(late);
  }

  #setState(state: EngineState): void {
    this.#state = state;
    this.#options.onLog(
      state.state === "stopped" ? `engine stopped: ${state.problem.detail ?? state.problem.message}` : `engine ${state.state}`,
    );
    this.#options.onState(state);
  }

  #receive(message: unknown): void {
    const parsed = engineOutboxSchema.safeParse(message);
    if (!parsed.success) {
      this.#options.onLog("engine sent a message that is not in the contract");
      return;
    }
    const { data } = parsed;
    switch (data.kind) {
      case "ready":
        clearTimeout(this.#readyTimer);
        this.#setState({ state: "ready" });
        this.#heartbeat.start();
        if (data.notice !== undefined) this.#options.onNotice?.(data.notice, data.said);
        return;
      case "failed":
        this.#drop(data.problem);
        return;
      case "busy":
        this.#busy = data.busy;
        return;
      case "quitted":
        this.#onQuitted?.();
        return;
      case "pong":
        this.#heartbeat.heard();
        return;
      default:
        assertNever(data);
    }
  }

  #ended(code: number): void {
    clearTimeout(this.#readyTimer);
    this.#heartbeat.stop();
    this.#child = null;
    this.#busy = false;
    if (this.#onQuitted) this.#onQuitted();
    else if (this.#gone) this.#setStopped(this.#gone);
    else this.#goneTimer = setTimeout(() => this.#setStopped(unknownEnd(code)), reasonWaitMs);
  }

  #setStopped(gone: Gone): void {
    clearTimeout(this.#goneTimer);
    this.#setState({ state: "stopped", problem: diedProblem(this.#state.state !== "starting", gone) });
  }

  #giveUp(limitMs: number): void {
    const seconds = Math.round(limitMs / 1000);
    this.#drop({ code: "engine-died", ...say("engineNotReady", { seconds }) });
  }

  /** Ends a process that is of no use any more: it is asked to and killed if it does not, or killed at once. */
  #drop(problem: Problem, { atOnce = false } = {}): void {
    clearTimeout(this.#readyTimer);
    this.#heartbeat.stop();
    const child = this.#child;
    this.#child = null;
    this.#busy = false;
    if (child) {
      this.#leaving.add(child);
      if (atOnce) {
        this.#endNow(child);
      } else {
        child.kill();
        setTimeout(() => this.#leaving.has(child) && this.#endNow(child), graceMs).unref();
      }
    }
    this.#setState({ state: "stopped", problem });
  }

  #endNow(child: EngineChild<Port>): void {
    const { endProcess = killProcess } = this.#options;
    if (child.pid === undefined) child.kill();
    else endProcess(child.pid);
  }
}
