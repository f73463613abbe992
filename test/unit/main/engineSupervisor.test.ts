import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EngineCall, EngineEvent, EngineInbox } from "../../../electron/contract/engine.ts";
import type { EngineState } from "../../../electron/contract/shell.ts";
import { type CallPort, type EngineChild, EngineSupervisor } from "../../../electron/main/engineSupervisor.ts";

class FakePort implements CallPort {
  readonly events: EngineEvent[] = [];
  closed = false;
  postMessage(event: EngineEvent): void {
    this.events.push(event);
  }
  close(): void {
    this.closed = true;
  }
}

/** Stands for a process: what it was sent is noted, what it says is up to the test. */
class FakeChild implements EngineChild<FakePort> {
  readonly inbox: [EngineInbox, FakePort[]][] = [];
  readonly pid: number;
  killed = false;
  #onMessage: (message: unknown) => void = () => undefined;
  #onExit: (code: number) => void = () => undefined;
  constructor(pid: number) {
    this.pid = pid;
  }
  /** How often it was asked whether it still answers. */
  get pings(): number {
    return this.inbox.filter(([message]) => message.kind === "ping").length;
  }
  postMessage(message: EngineInbox, ports: FakePort[] = []): void {
    this.inbox.push([message, ports]);
  }
  kill(): boolean {
    this.killed = true;
    return true;
  }
  on(event: "message", listener: (message: unknown) => void): this;
  on(event: "exit", listener: (code: number) => void): this;
  on(...[event, listener]: ["message", (message: unknown) => void] | ["exit", (code: number) => void]): this {
    if (event === "message") this.#onMessage = listener;
    else this.#onExit = listener;
    return this;
  }
  say(message: unknown): void {
    this.#onMessage(message);
  }
  exit(code: number): void {
    this.#onExit(code);
  }
}

const start = { dataFolder: "/data", modelFolders: ["/models"], moduleFolders: ["/modules"], version: "1.0.0" };
const call: EngineCall = { method: "about", payload: {} };

function supervise() {
  const children: FakeChild[] = [];
  const states: EngineState[] = [];
  const notices: string[] = [];
  const endedPids: number[] = [];
  const watch = { on: true };
  const supervisor = new EngineSupervisor<FakePort>({
    fork: () => {
      const child = new FakeChild(100 + children.length);
      children.push(child);
      return child;
    },
    start,
    onState: (state) => states.push(state),
    onLog: () => undefined,
    onNotice: (notice) => notices.push(notice),
    isWatched: () => watch.on,
    endProcess: (pid) => endedPids.push(pid),
    readyLimitMs: 10_000,
    pingEveryMs: 100,
    silentLimitMs: 1000,
  });
  const latest = () => {
    const child = children.at(-1);
    if (!child) throw new Error("No engine was started.");
    return child;
  };
  return { supervisor, children, states, notices, endedPids, watch, latest };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the engine's supervisor", () => {
  it("starts one engine, passes calls on with their port, and tells when it is ready", () => {
    const { supervisor, states, children, watch, latest } = supervise();
    supervisor.start();
    supervisor.start();
    const port = new FakePort();
    supervisor.call(call, port);
    latest().say({ kind: "ready" });
    expect(children).toHaveLength(1);
    expect(latest().inbox).toEqual([
      [{ kind: "start", start }, []],
      [{ kind: "call", call }, [port]],
    ]);
    expect(states).toEqual([{ state: "starting" }, { state: "ready" }]);
    watch.on = false;
    vi.advanceTimersByTime(60_000);
    expect(supervisor.state).toEqual({ state: "ready" });
  });

  it.each(["before", "after"] as const)("says why an engine died when the system's word comes %s its exit", (order) => {
    const { supervisor, states, latest } = supervise();
    supervisor.start();
    latest().say({ kind: "ready" });
    latest().say({ kind: "busy", busy: true });
    const gone = { reason: "oom", exitCode: 9 };
    if (order === "before") supervisor.noteGone(gone);
    latest().exit(0);
    if (order === "after") supervisor.noteGone(gone);
    vi.advanceTimersByTime(1000);
    expect(states.slice(2)).toEqual([
      {
        state: "stopped",
        problem: {
          code: "engine-died",
          message: "The engine stopped: it ran out of memory (exit code 9). Your conversations are kept. Restart the engine to go on.",
          said: { name: "engineStopped", values: { why: { name: "endOutOfMemory", values: {} }, code: 9 } },
          detail: "reason oom, exit code 9",
        },
      },
    ]);
    expect(supervisor.busy).toBe(false);
  });

  it("says so as well when the system gives no reason", () => {
    const { supervisor, latest } = supervise();
    supervisor.start();
    latest().exit(5);
    vi.advanceTimersByTime(1000);
    expect(supervisor.state).toMatchObject({
      state: "stopped",
      problem: { message: expect.stringMatching(/could not start.*exit code 5/) },
    });
  });

  it("answers calls with the problem while no engine runs, and closes their ports", () => {
    const { supervisor, latest } = supervise();
    supervisor.start();
    latest().exit(3);
    const early = new FakePort();
    supervisor.call(call, early);
    vi.advanceTimersByTime(1000);
    const late = new FakePort();
    supervisor.call(call, late);
    for (const port of [early, late]) {
      expect(port.closed).toBe(true);
      expect(port.events).toEqual([{ event: "error", problem: expect.objectContaining({ code: "engine-died" }) }]);
    }
  });

  it("starts a new one after a death and no longer listens to the old one", () => {
    const { supervisor, children, latest } = supervise();
    supervisor.start();
    const first = latest();
    first.exit(1);
    vi.advanceTimersByTime(1000);
    expect(supervisor.start()).toEqual({ state: "starting" });
    first.say({ kind: "ready" });
    first.exit(1);
    vi.advanceTimersByTime(1000);
    expect([children.length, supervisor.state]).toEqual([2, { state: "starting" }]);
    latest().say({ kind: "ready" });
    expect(supervisor.state).toEqual({ state: "ready" });
  });

  it("passes on what an engine says that cannot work, and ends it", () => {
    const { supervisor, latest } = supervise();
    supervisor.start();
    const problem = { code: "engine-native", message: "The native part is missing. Run npm start." };
    latest().say({ kind: "failed", problem });
    latest().exit(1);
    vi.advanceTimersByTime(1000);
    expect([supervisor.state, latest().killed]).toEqual([{ state: "stopped", problem }, true]);
  });

  it("gives up an engine that is never ready", () => {
    const { supervisor, latest } = supervise();
    supervisor.start();
    vi.advanceTimersByTime(10_000);
    expect(latest().killed).toBe(true);
    expect(supervisor.state).toMatchObject({
      state: "stopped",
      problem: { code: "engine-died", message: expect.stringContaining("10 seconds") },
    });
  });

  it("ignores messages that are not in the contract", () => {
    const { supervisor, latest } = supervise();
    supervisor.start();
    for (const message of [null, "ready", { kind: "evil" }, { kind: "busy", busy: "yes" }]) latest().say(message);
    expect([supervisor.state, supervisor.busy]).toEqual([{ state: "starting" }, false]);
  });

  it("ends an engine that says goodbye at once, and kills one that does not after three seconds; neither counts as a death", async () => {
    for (const polite of [true, false]) {
      const { supervisor, states, endedPids, latest } = supervise();
      supervisor.start();
      latest().say({ kind: "ready" });
      let ended = false;
      const ending = supervisor.quit().then(() => {
        ended = true;
      });
      expect(latest().inbox.at(-1)).toEqual([{ kind: "quit" }, []]);
      if (polite) latest().say({ kind: "quitted" });
      await vi.advanceTimersByTimeAsync(polite ? 0 : 2999);
      expect(ended).toBe(polite);
      await vi.advanceTimersByTimeAsync(1);
      await ending;
      latest().exit(0);
      vi.advanceTimersByTime(1000);
      expect([latest().killed, endedPids, states.length]).toEqual([polite, polite ? [] : [100], 2]);
    }
  });

  it("kills one that was given up and does not end, after three seconds or when the app ends", async () => {
    const { supervisor, endedPids, latest } = supervise();
    supervisor.start();
    vi.advanceTimersByTime(10_000 + 2999);
    expect([latest().killed, endedPids]).toEqual([true, []]);
    await supervisor.quit();
    expect(endedPids).toEqual([100]);
  });

  it("passes on what an engine that starts has to tell", () => {
    const { supervisor, notices, latest } = supervise();
    supervisor.start();
    latest().say({ kind: "ready", notice: "A file was put aside." });
    expect([notices, supervisor.state]).toEqual([["A file was put aside."], { state: "ready" }]);
  });
});

describe("an engine that no longer answers", () => {
  /** Lets time pass in which every ping is answered. */
  function answered(child: FakeChild, ms: number): void {
    for (let passed = 0; passed < ms; passed += 100) {
      vi.advanceTimersByTime(100);
      child.say({ kind: "pong" });
    }
  }

  const silent = {
    state: "unresponsive",
    problem: {
      code: "engine-failed",
      message: expect.stringMatching(/^The engine has not answered for 1 seconds\./),
      said: { name: "engineSilent", values: { seconds: 1 } },
    },
  };

  it("is called so after the limit, and ready again when it answers", () => {
    const { supervisor, states, latest } = supervise();
    supervisor.start();
    latest().say({ kind: "ready" });
    answered(latest(), 5000);
    expect([supervisor.state, latest().pings]).toEqual([{ state: "ready" }, 50]);
    vi.advanceTimersByTime(999);
    expect(supervisor.state).toEqual({ state: "ready" });
    vi.advanceTimersByTime(1);
    expect(supervisor.state).toEqual(silent);
    vi.advanceTimersByTime(5000);
    latest().say({ kind: "pong" });
    expect(states.slice(2)).toEqual([silent, { state: "ready" }]);
    vi.advanceTimersByTime(1000);
    expect(supervisor.state).toEqual(silent);
  });

  it("is not blamed for the time that the machine slept", () => {
    const { supervisor, latest } = supervise();
    supervisor.start();
    latest().say({ kind: "ready" });
    vi.advanceTimersByTime(900);
    vi.setSystemTime(Date.now() + 8 * 3_600_000);
    vi.advanceTimersByTime(1000);
    expect(supervisor.state).toEqual({ state: "ready" });
    vi.advanceTimersByTime(100);
    expect(supervisor.state).toEqual(silent);
  });

  it("is not looked for while it starts, nor while there is no window", () => {
    const { supervisor, watch, latest } = supervise();
    supervisor.start();
    vi.advanceTimersByTime(9000);
    latest().say({ kind: "ready" });
    watch.on = false;
    vi.advanceTimersByTime(60_000);
    expect([supervisor.state, latest().pings]).toEqual([{ state: "ready" }, 0]);
    watch.on = true;
    vi.advanceTimersByTime(900);
    expect(supervisor.state).toEqual({ state: "ready" });
    vi.advanceTimersByTime(100);
    expect(supervisor.state).toEqual(silent);
  });

  it("is killed by a restart, which tells those who wait for it and starts another", () => {
    const { supervisor, states, children, endedPids, latest } = supervise();
    supervisor.start();
    const first = latest();
    first.say({ kind: "ready" });
    expect([supervisor.restart(), children.length]).toEqual([{ state: "ready" }, 1]);
    vi.advanceTimersByTime(1000);
    expect(supervisor.restart()).toEqual({ state: "starting" });
    expect([endedPids, children.length]).toEqual([[100], 2]);
    expect(states.slice(2)).toEqual([
      silent,
      { state: "stopped", problem: expect.objectContaining({ code: "engine-died" }) },
      { state: "starting" },
    ]);
    // What the system says of the first one's end is not the second one's reason.
    supervisor.noteGone({ reason: "killed", exitCode: 9 });
    first.exit(9);
    vi.advanceTimersByTime(1000);
    latest().say({ kind: "ready" });
    latest().exit(3);
    vi.advanceTimersByTime(250);
    expect(supervisor.state).toMatchObject({
      state: "stopped",
      problem: { message: expect.stringContaining("unexpectedly (exit code 3)") },
    });
  });

  it("is told as one that stopped when it ends by itself", () => {
    const { supervisor, latest } = supervise();
    supervisor.start();
    latest().say({ kind: "ready" });
    vi.advanceTimersByTime(1000);
    latest().exit(1);
    vi.advanceTimersByTime(250);
    expect(supervisor.state).toMatchObject({ state: "stopped", problem: { message: expect.stringContaining("The engine stopped") } });
  });
});
