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
  killed = false;
  #onMessage: (message: unknown) => void = () => undefined;
  #onExit: (code: number) => void = () => undefined;
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

const start = { dataFolder: "/data", modelFolders: ["/models"], version: "1.0.0" };
const call: EngineCall = { method: "about", payload: {} };

function supervise() {
  const children: FakeChild[] = [];
  const states: EngineState[] = [];
  const supervisor = new EngineSupervisor<FakePort>({
    fork: () => {
      const child = new FakeChild();
      children.push(child);
      return child;
    },
    start,
    onState: (state) => states.push(state),
    onLog: () => undefined,
    readyLimitMs: 10_000,
  });
  const latest = () => {
    const child = children.at(-1);
    if (!child) throw new Error("No engine was started.");
    return child;
  };
  return { supervisor, children, states, latest };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the engine's supervisor", () => {
  it("starts one engine, passes calls on with their port, and tells when it is ready", () => {
    const { supervisor, states, children, latest } = supervise();
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

  it("ends an engine that says goodbye at once, and one that does not after three seconds; neither counts as a death", async () => {
    for (const polite of [true, false]) {
      const { supervisor, states, latest } = supervise();
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
      expect([latest().killed, states.length]).toEqual([true, 2]);
    }
  });
});
