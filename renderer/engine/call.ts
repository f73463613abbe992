import type { z } from "zod";
import {
  type EngineCall,
  type EngineMethod,
  type EngineRequestOf,
  type EngineResultOf,
  engineContract,
  engineEventSchema,
  type StreamEvent,
} from "../../electron/contract/engine.ts";
import { LongsightError, type Problem } from "../../electron/contract/errors.ts";
import { parseAt } from "../../electron/contract/parse.ts";
import { say } from "../../electron/contract/said.ts";
import { engineCallMessage } from "../../electron/contract/shell.ts";

export type CallOptions = {
  /** Aborting cancels the request in the engine; the call rejects with `cancelled` at once. */
  readonly signal?: AbortSignal;
  /** Called for each event before the end, in order. */
  readonly onEvent?: (event: StreamEvent) => void;
};

/**
 * Asks the engine.
 * @throws LongsightError with the engine's own problem, `cancelled` after an abort, or `engine-died` when its process ends.
 */
export type CallEngine = <Method extends EngineMethod>(
  method: Method,
  payload: EngineRequestOf<Method>,
  options?: CallOptions,
) => Promise<EngineResultOf<Method>>;

export type EngineCaller = {
  readonly call: CallEngine;
  /** Rejects what is under way, and everything asked until {@link EngineCaller.started}, with this problem. */
  readonly stopped: (problem: Problem) => void;
  /** A new engine process takes requests. */
  readonly started: () => void;
};

/** Hands a request and its port to whoever brings them to the engine. */
export type SendCall = (call: EngineCall, port: MessagePort) => void;

/** The way of the page: preload listens for this message and passes the port on. */
export function sendByWindow(target: Window): SendCall {
  return (call, port) => target.postMessage({ type: engineCallMessage, call }, target.location.origin, [port]);
}

function cancelled(): LongsightError {
  return new LongsightError("cancelled", say("stopped"));
}

/** One MessageChannel for each request: its end is the end of the stream, and closing it cancels. */
export function createEngineCaller(send: SendCall): EngineCaller {
  const pending = new Set<(error: LongsightError) => void>();
  let death: LongsightError | null = null;

  const call: CallEngine = (method, payload, options = {}) =>
    new Promise((resolve, reject) => {
      const { signal, onEvent } = options;
      if (death !== null) return reject(death);
      if (signal?.aborted === true) return reject(cancelled());
      const { port1, port2 } = new MessageChannel();

      const finish = (): void => {
        pending.delete(fail);
        signal?.removeEventListener("abort", abort);
        port1.onmessage = null;
        port1.close();
      };
      const fail = (error: LongsightError): void => {
        finish();
        reject(error);
      };
      const abort = (): void => {
        port1.postMessage({ kind: "cancel" });
        fail(cancelled());
      };

      port1.onmessage = (message: MessageEvent<unknown>): void => {
        try {
          const event = parseAt("engine's message", engineEventSchema, message.data);
          if (event.event === "error") {
            fail(new LongsightError(event.problem.code, event.problem, event.problem.detail));
          } else if (event.event === "result") {
            const result = resultOf(method, event.result);
            finish();
            resolve(result);
          } else {
            onEvent?.(event);
          }
        } catch (error) {
          const detail = error instanceof Error ? error.message : String(error);
          fail(new LongsightError("engine-failed", say("replyNotUnderstood"), detail));
        }
      };
      pending.add(fail);
      signal?.addEventListener("abort", abort, { once: true });
      send({ method, payload }, port2);
    });

  return {
    call,
    stopped(problem) {
      death = new LongsightError("engine-died", problem, problem.detail);
      for (const fail of [...pending]) fail(death);
    },
    started() {
      death = null;
    },
  };
}

/** The contract with the type of each result spelled out by its method, so that a result keeps it. */
const results: { readonly [Method in EngineMethod]: { readonly result: z.ZodType<EngineResultOf<Method>> } } = engineContract;

function resultOf<Method extends EngineMethod>(method: Method, value: unknown): EngineResultOf<Method> {
  return parseAt("engine's result", results[method].result, value);
}
