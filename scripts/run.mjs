// Runs other programs: with their output shown or kept, and ended with us.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { stripVTControlCharacters } from "node:util";

/**
 * Runs a program to its end and keeps what it wrote.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions & { onLine?: (line: string) => void, show?: boolean }} [options] show: also to our own output
 * @returns {Promise<{ code: number, output: string }>} output: both streams in order; code 127 where the program is missing
 */
export function capture(command, args, { onLine, show = false, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    let output = "";
    let rest = "";
    const take = (stream) => (chunk) => {
      const text = String(chunk);
      output += text;
      if (show) stream.write(text);
      if (!onLine) return;
      const lines = (rest + text).split(/\r?\n|\r/);
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(line);
    };
    child.stdout?.on("data", take(process.stdout));
    child.stderr?.on("data", take(process.stderr));
    child.on("error", (error) =>
      "code" in error && error.code === "ENOENT" ? resolve({ code: 127, output: `${command} was not found` }) : reject(error),
    );
    child.on("close", (code, signal) => resolve({ code: code ?? exitCodeOfSignal(signal), output }));
  });
}

/** The exit code that a shell gives a program ended by this signal. */
export const exitCodeOfSignal = (signal) => 128 + (constants.signals[signal] ?? 1);

/**
 * Runs a program in our place: same input and output, signals passed on.
 * @returns {Promise<number>} its exit code, 128 + number where a signal ended it
 */
export function hand(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    // A terminal sends Ctrl+C to the whole group: the child has it already, we only must not end before it does.
    const pass = (signal) => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    for (const signal of signals) process.on(signal, pass);
    const done = () => {
      for (const signal of signals) process.off(signal, pass);
    };
    child.on("error", (error) => {
      done();
      reject(error);
    });
    child.on("close", (code, signal) => {
      done();
      resolve(code ?? exitCodeOfSignal(signal));
    });
  });
}

/**
 * The folder from which a person called an npm script: npm runs scripts in the checkout, but paths that people type are
 * relative to where they are.
 * @param {string} script name of the npm script that is asking
 */
export function callerFolder(script, environment = process.env) {
  // A script that another npm script started sees the other one's folder.
  if (environment.npm_lifecycle_event === script && environment.INIT_CWD) return environment.INIT_CWD;
  return process.cwd();
}

/** What to tell a person about a failure; tools colour their messages, which only a terminal understands. */
export function messageOf(error) {
  const text = error instanceof Error ? error.message : String(error);
  return process.stderr.isTTY ? text : stripVTControlCharacters(text);
}
