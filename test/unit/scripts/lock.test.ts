import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withLock } from "../../../scripts/lock.mjs";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight lock ü-"));
  file = join(folder, "below", ".lock");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The pid of a process that has ended. */
const endedPid = () => spawnSync(process.execPath, ["-e", ""]).pid;

describe("withLock", () => {
  it("lets one in at a time, in whatever order they come", async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await sleep(15);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 6 }, () => withLock(file, work, { pollMs: 5 })));
    expect(most).toBe(1);
  });

  it("gives the result back, and frees the lock after a failure", async () => {
    await expect(withLock(file, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await withLock(file, async () => 7)).toBe(7);
    expect(await readdir(join(folder, "below"))).toEqual([]);
  });

  it("says once that it waits", async () => {
    let waits = 0;
    await Promise.all([
      withLock(file, () => sleep(60)),
      sleep(10).then(() =>
        withLock(file, async () => {}, {
          pollMs: 5,
          onWait: () => {
            waits += 1;
          },
        }),
      ),
    ]);
    expect(waits).toBe(1);
  });

  it("takes over from a holder that died, and only one of several waiters does", async () => {
    await withLock(file, async () => {});
    await writeFile(file, `${endedPid()}\n${hostname()}\n`);
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await sleep(10);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 4 }, () => withLock(file, work, { pollMs: 5 })));
    expect(most).toBe(1);
  });

  it("takes over from another machine only when its heartbeat has stopped", async () => {
    await withLock(file, async () => {});
    await writeFile(file, "1\nanother-machine\n");
    let done = false;
    const waiting = withLock(
      file,
      async () => {
        done = true;
      },
      { pollMs: 5 },
    );
    await sleep(60);
    expect(done).toBe(false);
    const longAgo = new Date(Date.now() - 10 * 60_000);
    await utimes(file, longAgo, longAgo);
    await waiting;
    expect(done).toBe(true);
  });
});
