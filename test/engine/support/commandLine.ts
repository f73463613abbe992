import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";
import { type AnswerFigures, answerFiguresSchema } from "../../../electron/contract/conversation.ts";
import { root } from "./engine.ts";

/** The built command line. */
export const script = join(root, "out", "cli", "longsight.cjs");
const running: ChildProcess[] = [];

/** What a run came to; `events`: what it wrote with --json. */
export type Outcome = { code: number | null; stdout: string; stderr: string; events: Record<string, unknown>[] };

/**
 * Runs the built command line. `onLine` sees each line of stdout as it comes.
 * @param snapshotFolder where what is read is kept; null for nowhere, so that no test depends on another
 */
export function longsight(
  args: readonly string[],
  onLine?: (line: string, child: ChildProcess) => void,
  snapshotFolder: string | null = null,
): Promise<Outcome> {
  const isReading = args[0] === "ask" || args[0] === "heatmap";
  const all = isReading && snapshotFolder === null ? [...args, "--no-snapshots"] : args;
  return runToEnd(process.execPath, [script, ...all], { LONGSIGHT_SNAPSHOTS: snapshotFolder ?? "" }, onLine);
}

/** Runs a command that writes what the command line writes. */
export function runToEnd(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onLine?: (line: string, child: ChildProcess) => void,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
    running.push(child);
    let stdout = "";
    let stderr = "";
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine?.(line, child);
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
      resolve({ code, stdout, stderr, events: lines.map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line))) });
    });
  });
}

/** Ends what still runs. */
export function endCommandLines(): void {
  for (const child of running) child.kill();
}

/** The figures of each answer that a run wrote. */
export function allDone(outcome: Outcome): AnswerFigures[] {
  return outcome.events.filter((event) => event["event"] === "done").map((event) => answerFiguresSchema.parse(event));
}

/** The figures of its one answer. */
export const doneOf = (outcome: Outcome): AnswerFigures =>
  answerFiguresSchema.parse(outcome.events.find((event) => event["event"] === "done"));
