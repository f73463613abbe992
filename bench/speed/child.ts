import { spawn } from "node:child_process";
import { constants } from "node:os";

/** A process of the bench that ended without what was asked of it. The message is for people, and has no folders in it. */
export class ChildError extends Error {
  override readonly name = "ChildError";
}

/** Of what it wrote to standard error, characters that are kept. */
const keptErrors = 4000;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a program to its end, and ends it with us.
 * @param options.isShown whether people see what it says meanwhile
 * @param options.onStart called with its process id
 * @param options.env instead of this process's own
 * @returns what it wrote to standard output
 * @throws ChildError where it cannot be started, or ends with anything but 0
 */
export function outputOf(
  program: string,
  args: readonly string[],
  {
    isShown = false,
    env = process.env,
    onStart,
  }: { readonly isShown?: boolean; readonly env?: NodeJS.ProcessEnv; readonly onStart?: (pid: number) => void } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env });
    const stop = (signal: (typeof signals)[number]) => {
      child.kill(signal);
      process.exit(128 + constants.signals[signal]);
    };
    for (const signal of signals) process.once(signal, stop);
    if (child.pid !== undefined) onStart?.(child.pid);
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors = (errors + chunk).slice(-keptErrors);
      if (isShown) process.stderr.write(chunk);
    });
    const failed = (reason: string) => reject(new ChildError(withoutFolders(reason)));
    child.on("error", (error) => failed(`It could not be started: ${error.message}`));
    child.on("close", (code, signal) => {
      for (const each of signals) process.off(each, stop);
      if (code === 0) resolve(output);
      else failed(`${reasonIn(errors)} (${signal === null ? `exit code ${code}` : `ended by ${signal}`})`);
    });
  });
}

/** The last line of a program's output, as JSON. @throws ChildError where there is none */
export function lastJson(output: string): unknown {
  try {
    return JSON.parse(output.trim().split("\n").at(-1) ?? "");
  } catch {
    throw new ChildError("It wrote no result.");
  }
}

/** What a program said was wrong: an error's own line where there is one, else its last words. */
function reasonIn(errors: string): string {
  const lines = errors
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const said = lines.findIndex((line) => /error/i.test(line) && !line.startsWith("at "));
  return (said >= 0 ? lines[said] : lines.at(-1)) ?? "It said nothing";
}

/** Paths by their last part: where files lie is nobody else's business. */
export function withoutFolders(text: string): string {
  return text.replace(/(?:file:\/\/|[A-Za-z]:)?(?:[/\\][^\s/\\"'”:]+)+[/\\]/g, "");
}
