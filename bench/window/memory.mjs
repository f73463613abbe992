// Memory that belongs to a process alone and to no file: what other processes share with it is not counted, nor pages of programs and
// models that the system reads from disk again whenever it likes.
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { processesOf } from "./app.mjs";

/** Bytes that a process has written and no other one shares (Linux). */
async function privateBytes(pid) {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  const kilobytes = [...text.matchAll(/^(?:Private_Dirty|Swap):\s+(\d+) kB$/gm)].map(([, number]) => Number(number));
  return kilobytes.reduce((sum, number) => sum + number, 0) * 1024;
}

/** Milliseconds after which the engine has put the file away whose pages were looked at last (documents.ts), and a little more. */
const untilIdleMs = 32_000;

/** Collects garbage in main, in the window and in the engine (bench/window/engine.ts), twice, and lets them settle. */
async function collectGarbage({ app, page }) {
  const session = await page.context().newCDPSession(page);
  for (let times = 0; times < 2; times += 1) {
    await session.send("HeapProfiler.collectGarbage");
    await app.evaluate(() => {
      const load = process.mainModule.require;
      load("node:v8").setFlagsFromString("--expose-gc");
      load("node:vm").runInNewContext("gc")();
    });
    for (const { pid, role } of await processesOf(app)) if (role === "engine") process.kill(pid, "SIGUSR2");
    await sleep(1000);
  }
  await session.detach();
}

/** @returns {Promise<Record<"main" | "renderer" | "engine" | "chromium" | "all", number>>} private bytes by process, after garbage was collected */
export async function measureMemory(started) {
  await sleep(untilIdleMs);
  await collectGarbage(started);
  const bytes = { main: 0, renderer: 0, engine: 0, chromium: 0, all: 0 };
  for (const { pid, role } of await processesOf(started.app)) {
    const own = await privateBytes(pid);
    bytes[role] += own;
    bytes.all += own;
  }
  return bytes;
}

/**
 * What of the window's growth the page itself holds: a heap that stays level while the process grows says that it is its allocators.
 * @returns {Promise<{ heap: number, nodes: number, listeners: number, frames: number, workers: number }>} bytes of JavaScript's heap, and counts
 */
export async function measurePage({ page }) {
  const session = await page.context().newCDPSession(page);
  try {
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    const { nodes, jsEventListeners, documents } = await session.send("Memory.getDOMCounters");
    return { heap: usedSize, nodes, listeners: jsEventListeners, frames: documents, workers: page.workers().length };
  } finally {
    await session.detach();
  }
}
