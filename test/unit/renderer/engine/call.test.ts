import { describe, expect, test } from "vitest";
import type { EngineCall, StreamEvent } from "../../../../electron/contract/engine.ts";
import { createEngineCaller } from "../../../../renderer/engine/call.ts";

type Sent = { readonly call: EngineCall; readonly port: MessagePort; readonly received: unknown[] };

function connect() {
  const sent: Sent[] = [];
  const caller = createEngineCaller((call, port) => {
    const received: unknown[] = [];
    port.onmessage = (message: MessageEvent<unknown>) => received.push(message.data);
    sent.push({ call, port, received });
  });
  const last = (): Sent => {
    const call = sent.at(-1);
    if (call === undefined) throw new Error("nothing was sent");
    return call;
  };
  return { caller, last, sent };
}

const progress = { event: "progress", stage: "load", fraction: 0.5, done: 1, total: 2, secondsLeft: null } as const;

describe("a call to the engine", () => {
  test("sends its method and payload, passes events on in order and resolves with the result", async () => {
    const { caller, last } = connect();
    const events: StreamEvent[] = [];
    const asked = caller.call("forgetDocument", { documentId: "a".repeat(64) }, { onEvent: (event) => events.push(event) });
    expect(last().call).toEqual({ method: "forgetDocument", payload: { documentId: "a".repeat(64) } });
    last().port.postMessage(progress);
    last().port.postMessage({ event: "token", text: "x" });
    last().port.postMessage({ event: "result", result: {} });
    await expect(asked).resolves.toEqual({});
    expect(events).toEqual([progress, { event: "token", text: "x" }]);
  });

  test("rejects with the engine's own problem", async () => {
    const { caller, last } = connect();
    const asked = caller.call("about", {});
    last().port.postMessage({ event: "error", problem: { code: "storage", message: "The disk is full.", detail: "ENOSPC" } });
    await expect(asked).rejects.toMatchObject({ code: "storage", message: "The disk is full.", detail: "ENOSPC" });
  });

  test.each([
    ["an event that is none", { event: "nonsense" }],
    ["a result of another shape", { event: "result", result: { version: 1 } }],
  ])("rejects %s instead of handing it on", async (_name, message) => {
    const { caller, last } = connect();
    const asked = caller.call("about", {});
    last().port.postMessage(message);
    await expect(asked).rejects.toMatchObject({ code: "engine-failed" });
  });

  test("an abort tells the engine, rejects at once and lets nothing through afterwards", async () => {
    const { caller, last } = connect();
    const controller = new AbortController();
    const events: StreamEvent[] = [];
    const asked = caller.call("listModels", {}, { signal: controller.signal, onEvent: (event) => events.push(event) });
    controller.abort();
    last().port.postMessage(progress);
    await expect(asked).rejects.toMatchObject({ code: "cancelled" });
    await expect.poll(() => last().received).toEqual([{ kind: "cancel" }]);
    expect(events).toEqual([]);
  });

  test("one that is aborted before it starts is never sent", async () => {
    const { caller, sent } = connect();
    await expect(caller.call("about", {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "cancelled" });
    expect(sent).toEqual([]);
  });

  test("the engine's end rejects what is under way and what comes after, until a new one has started", async () => {
    const { caller, last, sent } = connect();
    const first = caller.call("about", {});
    const second = caller.call("listModels", {});
    caller.stopped({ code: "engine-died", message: "It ended.", detail: "exit 9" });
    await expect(first).rejects.toMatchObject({ code: "engine-died", message: "It ended.", detail: "exit 9" });
    await expect(second).rejects.toMatchObject({ code: "engine-died" });
    await expect(caller.call("about", {})).rejects.toMatchObject({ code: "engine-died" });
    expect(sent).toHaveLength(2);
    caller.started();
    const third = caller.call("listModels", {});
    last().port.postMessage({ event: "result", result: [] });
    await expect(third).resolves.toEqual([]);
  });
});
