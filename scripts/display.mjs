// A screen that nobody sees: Xvfb for tests and benches that open windows.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Starts Xvfb on a free display number.
 * @returns {Promise<{ display: string, stop: () => Promise<void> } | null>} null where Xvfb is not installed
 */
export async function startDisplay() {
  // Xvfb itself picks the number and writes it to the fourth stream once it listens.
  const child = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x900x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const failed = new Promise((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", () => resolve(null));
  });
  const number = await Promise.race([
    once(child.stdio[3], "data").then(([data]) => String(data).trim()),
    failed,
    sleep(15_000, null, { ref: false }),
  ]);
  if (number === null) {
    child.kill();
    return null;
  }
  const stop = async () => {
    child.kill();
    await failed;
  };
  return { display: `:${number}`, stop };
}

/**
 * A display to open windows on: one of our own where Xvfb is there, else the desktop's.
 * @returns {Promise<{ env: Record<string, string>, stop: () => Promise<void> } | null>} null where there is neither
 */
export async function anyDisplay() {
  const none = async () => {};
  if (process.platform !== "linux") return { env: {}, stop: none };
  const own = await startDisplay();
  if (own) return { env: { DISPLAY: own.display, WAYLAND_DISPLAY: "" }, stop: own.stop };
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? { env: {}, stop: none } : null;
}
