import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allDone, doneOf, endCommandLines, longsight, type Outcome, runToEnd, script } from "./support/commandLine.ts";
import { storyOf } from "./support/engine.ts";

// What only real processes and a real disk can do to snapshots; the rest is in snapshots.test.ts.

const asked = ["--question", "What is the code of the harbour light?", "--context", "2048", "--max-tokens", "12", "--json"];
const noticesOf = ({ events }: Outcome) => events.flatMap((event) => (event["event"] === "notice" ? [String(event["message"])] : []));
/** Files that are being written, or were when their writer ended. */
const unfinished = (names: readonly string[]) => names.filter((name) => name.endsWith(".new"));

let folder: string;
let story: string;
let cold: Outcome;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight-failures-"));
  story = join(folder, "story.txt");
  // Some 1,300 tokens: two whole chunks of 11.8 MB and a part of one.
  await writeFile(story, storyOf(1000));
  cold = await longsight(["ask", story, ...asked]);
}, 300_000);
afterAll(async () => {
  endCommandLines();
  await rm(folder, { recursive: true, force: true });
});

const placeFor = async (name: string) => {
  const place = join(folder, name);
  await mkdir(place);
  return place;
};

/** Asks until the answer comes from disk: the first time the model's file is still being hashed. */
async function askUntilRestored(place: string): Promise<Outcome> {
  for (let tries = 0; tries < 4; tries++) {
    const outcome = await longsight(["ask", story, ...asked], undefined, place);
    if (doneOf(outcome).restoredTokens > 0) return outcome;
  }
  throw new Error("nothing was restored");
}

/** Mounting needs a namespace of one's own, which not every system gives. */
const canMount = spawnSync("unshare", ["-Urm", "mount", "-t", "tmpfs", "none", tmpdir()]).status === 0;
if (!canMount) console.warn("Nothing can be mounted here: the test of a full disk is skipped.");

describe("a full disk", () => {
  test.skipIf(!canMount)("is told once an answer, leaves nothing unfinished, and what fitted serves the next one", async () => {
    const place = await placeFor("full");
    // Room for one chunk and what is remembered of the model, not for two.
    const run = `"$1" "$2" ask "$3" ${asked.map((word) => `'${word}'`).join(" ")}`;
    const commands = `mount -t tmpfs -o size=18m none "$LONGSIGHT_SNAPSHOTS" && ${run} && ${run} && ${run}; ls "$LONGSIGHT_SNAPSHOTS" >&2`;
    const args = ["-Urm", "sh", "-c", commands, "sh", process.execPath, script, story];
    const outcome = await runToEnd("unshare", args, { LONGSIGHT_SNAPSHOTS: place });
    const answers = allDone(outcome);
    expect(answers).toHaveLength(3);
    for (const { answer } of answers) expect(answer).toBe(doneOf(cold).answer);
    const notices = noticesOf(outcome);
    expect(notices.length).toBeGreaterThan(0);
    expect(notices.length).toBeLessThanOrEqual(3);
    for (const notice of notices) expect(notice).toMatch(/could not be stored in .*: the disk is full\. Answers go on without it/);
    expect(answers.at(-1)?.restoredTokens).toBeGreaterThan(400);
    const names = outcome.stderr.split("\n");
    expect(names.some((name) => name.endsWith(".chunk"))).toBe(true);
    expect(unfinished(names)).toEqual([]);
  });
});

describe("two processes on one folder", () => {
  test("read the same document at the same time: right answers, whole files, and a third restores them", async () => {
    const place = await placeFor("shared");
    const both = await Promise.all([1, 2].map(() => longsight(["ask", story, ...asked], undefined, place)));
    for (const outcome of both) {
      expect(outcome.code, outcome.stderr).toBe(0);
      expect(doneOf(outcome).answer).toBe(doneOf(cold).answer);
      expect(noticesOf(outcome)).toEqual([]);
    }
    const restored = await askUntilRestored(place);
    expect(doneOf(restored).answer).toBe(doneOf(cold).answer);
    expect(noticesOf(restored)).toEqual([]);
    expect(unfinished(await readdir(place))).toEqual([]);
    await expect(readdir(join(place, "damaged"))).rejects.toThrow();
    // One restores while the other removes everything.
    const [answered, cleared] = await Promise.all([
      longsight(["ask", story, ...asked], undefined, place),
      longsight(["cache", "clear", "--all"], undefined, place),
    ]);
    expect(cleared.code).toBe(0);
    expect(doneOf(answered).answer).toBe(doneOf(cold).answer);
  });

  test("of which one is killed in the middle: the other and the next answer rightly", async () => {
    const place = await placeFor("killed");
    await askUntilRestored(place);
    const other = join(folder, "other.txt");
    await writeFile(other, storyOf(1000, "2718"));
    const plain = await longsight(["ask", other, ...asked]);
    const killed = longsight(
      ["ask", other, ...asked],
      // Chunks are being written from the first 512 tokens on.
      (line, child) => /"stage":"prefill","fraction":0\.[5-9]/.test(line) && child.kill("SIGKILL"),
      place,
    );
    const [ended, beside] = await Promise.all([killed, longsight(["ask", story, ...asked], undefined, place)]);
    expect(ended.code).toBeNull();
    expect(doneOf(beside).answer).toBe(doneOf(cold).answer);
    const next = await longsight(["ask", other, ...asked], undefined, place);
    expect(doneOf(next).answer).toBe(doneOf(plain).answer);
    expect(noticesOf(next)).toEqual([]);
  });
});
