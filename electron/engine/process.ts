// Entry of the engine's own process (Electron's utilityProcess). It imports no electron: its port is handed to it.
import { join } from "node:path";
import { z } from "zod";
import { type EngineEvent, type EngineOutbox, engineInboxSchema } from "../contract/engine.ts";
import { LongsightError, toProblem } from "../contract/errors.ts";
import { say } from "../contract/said.ts";
import { createEngine, type Engine } from "./engine.ts";

/** The part of Electron's MessagePortMain that is used here. */
type Port = {
  postMessage(message: unknown): void;
  on(event: "message", listener: (event: { data: unknown; ports: Port[] }) => void): void;
  on(event: "close", listener: () => void): void;
  start(): void;
  close(): void;
};

const portSchema = z.custom<Port>(
  (value) => typeof value === "object" && value !== null && "postMessage" in value && typeof value.postMessage === "function",
  "no port: this is the entry of Longsight's engine process, started by the app",
);

const parent = portSchema.parse(Reflect.get(process, "parentPort"));
const tell = (message: EngineOutbox) => parent.postMessage(message);

let engine: Engine | undefined;
let busy = false;

function reportBusy(): void {
  const now = engine?.busy ?? false;
  if (now === busy) return;
  busy = now;
  tell({ kind: "busy", busy });
}

/** One request on its own port: events out; a `cancel` message or the port's end cancels. */
async function serve(call: unknown, port: Port): Promise<void> {
  const controller = new AbortController();
  let open = true;
  port.on("message", ({ data }) => {
    if (z.object({ kind: z.literal("cancel") }).safeParse(data).success) controller.abort();
  });
  port.on("close", () => {
    open = false;
    controller.abort();
  });
  port.start();
  const send = (event: EngineEvent) => {
    if (open) port.postMessage(event);
  };
  try {
    if (engine === undefined) throw new LongsightError("engine-failed", say("engineNotStarted"));
    const work = engine.handle(call, { signal: controller.signal, emit: send });
    reportBusy();
    send({ event: "result", result: await work });
  } catch (error) {
    send({ event: "error", problem: toProblem(error) });
  } finally {
    reportBusy();
    // Left to the receiver's side to close: closing here at once may overtake the last message.
    setTimeout(() => open && port.close(), 5_000).unref();
  }
}

parent.on("message", ({ data, ports }) => {
  const parsed = engineInboxSchema.safeParse(data);
  const port = ports[0];
  if (!parsed.success) return;
  const message = parsed.data;
  if (message.kind === "start") {
    try {
      engine ??= createEngine({
        ...message.start,
        documentWorker: join(__dirname, "pdfWorker.cjs"),
        snapshotFolder: join(message.start.dataFolder, "snapshots"),
      });
      const { notice } = engine;
      if (notice !== null) process.stderr.write(`${notice.message}\n`);
      tell({ kind: "ready", ...(notice === null ? {} : { notice: notice.message, said: notice.said }) });
    } catch (error) {
      tell({ kind: "failed", problem: toProblem(error) });
    }
  } else if (message.kind === "ping") {
    tell({ kind: "pong" });
  } else if (message.kind === "quit") {
    void (engine?.dispose() ?? Promise.resolve()).finally(() => tell({ kind: "quitted" }));
  } else if (port !== undefined) {
    void serve(message.call, port);
  }
});

// From Electron 37 on an unhandled rejection only warns; a broken engine must not look alive. Node looks for them before the
// microtasks of a port's message have run (seen in Electron 22), so a rejection gets until the next turn to be handled.
const unhandled = new Set<Promise<unknown>>();
process.on("rejectionHandled", (promise) => {
  unhandled.delete(promise);
});
process.on("unhandledRejection", (reason, promise) => {
  unhandled.add(promise);
  setImmediate(() => {
    if (unhandled.has(promise)) throw reason;
  });
});
