// A lock between processes: a file that names its holder. Two set-ups or builds at once wait for each other.
import { mkdir, open, readFile, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const HEARTBEAT_MS = 5_000;
/** A holder on another machine (a shared home) is taken for dead when its heartbeat is this old. */
const DEAD_AFTER_MS = 60_000;
const CLEARING_MS = 20;

const codeOf = (error) => (error instanceof Error && "code" in error ? error.code : undefined);

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

async function isStale(file) {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
    const quiet = Date.now() - mtimeMs > DEAD_AFTER_MS;
    const [pid, host] = text.split("\n");
    // An empty file is one whose holder is between creating and writing it, or died there.
    if (!pid || host === undefined) return quiet;
    return host === hostname() ? !isAlive(Number(pid)) : quiet;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

async function take(file) {
  try {
    const handle = await open(file, "wx");
    await handle.writeFile(`${process.pid}\n${hostname()}\n`);
    await handle.close();
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes a dead holder's file. Guarded by a file of its own: between finding the holder dead and removing its file, another
 * waiter could have done both and be the new holder.
 */
async function clear(file) {
  const guard = `${file}.clearing`;
  if (await take(guard)) {
    try {
      if (await isStale(file)) await rm(file, { force: true });
    } finally {
      await rm(guard, { force: true });
    }
  } else if (await isStale(guard)) {
    await rm(guard, { force: true });
  } else {
    await sleep(CLEARING_MS);
  }
}

/**
 * Runs `work` while holding the lock `file`; waits for its holder, and takes over from one that died.
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {{ onWait?: () => void, pollMs?: number }} [options] onWait is called once, when there is somebody to wait for
 * @returns {Promise<T>} what `work` resolves to
 * @template T
 */
export async function withLock(file, work, { onWait = () => {}, pollMs = 500 } = {}) {
  await mkdir(dirname(file), { recursive: true });
  let waited = false;
  while (!(await take(file))) {
    if (await isStale(file)) {
      await clear(file);
      continue;
    }
    if (!waited) onWait();
    waited = true;
    await sleep(pollMs);
  }
  const heartbeat = setInterval(() => utimes(file, new Date(), new Date()).catch(() => {}), HEARTBEAT_MS);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(file, { force: true });
  }
}
