import { describe, expect, it } from "vitest";
import { createQueue } from "../../../electron/engine/queue.ts";

/** A task that the test ends. */
function openTask<Result>() {
  let finish: (result: Result) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  let started = false;
  const result = new Promise<Result>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  return {
    run: () => {
      started = true;
      return result;
    },
    finish,
    fail,
    get started() {
      return started;
    },
  };
}

const never = () => new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("queue", () => {
  it("runs one task at a time, in the order they came", async () => {
    const queue = createQueue();
    const order: string[] = [];
    let running = 0;
    const task = (name: string) => async () => {
      running += 1;
      expect(running).toBe(1);
      order.push(name);
      await settle();
      running -= 1;
      return name;
    };
    const results = await Promise.all(["a", "b", "c", "d"].map((name) => queue.run(never(), task(name))));
    expect(results).toEqual(["a", "b", "c", "d"]);
    expect(order).toEqual(["a", "b", "c", "d"]);
  });

  it("tells those who wait that they wait, and only those", async () => {
    const queue = createQueue();
    const waited: string[] = [];
    const first = openTask<void>();
    const tasks = [
      queue.run(never(), first.run, () => waited.push("first")),
      queue.run(
        never(),
        async () => undefined,
        () => waited.push("second"),
      ),
    ];
    expect(waited).toEqual(["second"]);
    first.finish();
    await Promise.all(tasks);
    await queue.run(
      never(),
      async () => undefined,
      () => waited.push("third"),
    );
    expect(waited).toEqual(["second"]);
  });

  it("counts what runs and waits, and is empty afterwards", async () => {
    const queue = createQueue();
    expect(queue.length).toBe(0);
    const first = openTask<number>();
    const running = queue.run(never(), first.run);
    const waiting = queue.run(never(), async () => 2);
    expect(queue.length).toBe(2);
    first.finish(1);
    expect(await Promise.all([running, waiting])).toEqual([1, 2]);
    expect(queue.length).toBe(0);
  });

  it("tells at once who gives up while waiting, and never starts that task", async () => {
    const queue = createQueue();
    const first = openTask<string>();
    const second = openTask<string>();
    const controller = new AbortController();
    const running = queue.run(never(), first.run);
    const waiting = queue.run(controller.signal, second.run);
    const third = queue.run(never(), async () => "third");
    await settle();
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    first.finish("first");
    expect(await running).toBe("first");
    expect(await third).toBe("third");
    expect(second.started).toBe(false);
    expect(queue.length).toBe(0);
  });

  it("tells at once who had given up before, even while another task runs", async () => {
    const queue = createQueue();
    const first = openTask<string>();
    const running = queue.run(never(), first.run);
    const late = openTask<string>();
    const outcome = queue.run(AbortSignal.abort(), late.run).catch((error: unknown) => error);
    const told = await Promise.race([outcome, new Promise((resolve) => setTimeout(() => resolve("not told"), 200))]);
    first.finish("first");
    await running;
    expect(told).toMatchObject({ code: "cancelled" });
    expect(late.started).toBe(false);
  });

  it("leaves a running task to end by itself when it is cancelled: its cache must be consistent first", async () => {
    const queue = createQueue();
    const first = openTask<string>();
    const controller = new AbortController();
    const running = queue.run(controller.signal, first.run);
    await settle();
    controller.abort();
    await settle();
    expect(queue.length).toBe(1);
    first.finish("what was written so far");
    expect(await running).toBe("what was written so far");
  });

  it("goes on after a task that fails, late or at once", async () => {
    const queue = createQueue();
    const first = openTask<string>();
    const failing = queue.run(never(), first.run);
    const throwing = queue.run(never(), () => {
      throw new Error("at once");
    });
    const next = queue.run(never(), async () => "next");
    first.fail(new Error("late"));
    await expect(failing).rejects.toThrow("late");
    await expect(throwing).rejects.toThrow("at once");
    expect(await next).toBe("next");
    expect(queue.length).toBe(0);
  });
});
