// The command line: the same engine as the window's, in this process. It remembers no conversations; what was read into a model is kept.
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { exitCodeOf, LongsightError, toProblem } from "../contract/errors.ts";
import { assertNever } from "../contract/parse.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { cacheFolder } from "../engine/folders.ts";
import { type Command, parseCommand, usage } from "./arguments.ts";
import { clearCache, listCache } from "./cacheCommands.ts";
import { about, ask, inspect, models } from "./commands.ts";
import { compare } from "./compare.ts";
import { heatmap } from "./heatmap/command.ts";
import { createOutput, type Output } from "./output.ts";

declare const LONGSIGHT_VERSION: string;

async function run(command: Command, output: Output, signal: AbortSignal): Promise<void> {
  if (command.name === "help") return output.text(`${usage}\n`);
  const cache = cacheFolder(process.env, process.platform);
  const documentWorker = join(__dirname, "..", "engine", "pdfWorker.cjs");
  const engine: Engine = createEngine({
    dataFolder: cache,
    modelFolders: [process.env["LONGSIGHT_MODELS"] ?? join(cache, "models")],
    moduleFolders: [...(await moduleFolders(command)), join(__dirname, "..", "..", "assets", "lookahead")],
    version: LONGSIGHT_VERSION,
    documentWorker,
    forgetful: true,
    snapshotFolder: keepsSnapshots(command) ? process.env["LONGSIGHT_SNAPSHOTS"] || join(cache, "snapshots") : null,
  });
  const call = { signal, emit: output.stream };
  try {
    switch (command.name) {
      case "ask":
        return await ask(engine, command, output, call);
      case "compare":
        return await compare(engine, command, output, call);
      case "heatmap":
        return await heatmap(engine, command, output, call, documentWorker);
      case "inspect":
        return await inspect(engine, command, output, call);
      case "models-list":
      case "models-verify":
        return await models(engine, command, output, call);
      case "cache-list":
        return await listCache(engine, command, output, call);
      case "cache-clear":
        return await clearCache(engine, command, output, call);
      case "about":
        return await about(engine, output, call);
      default:
        return assertNever(command);
    }
  } finally {
    await engine.dispose();
  }
}

/** Whether a command has to do with what is kept on disk of documents that were read. */
function keepsSnapshots(command: Command): boolean {
  if (command.name === "ask" || command.name === "heatmap" || command.name === "compare") return !command.options["no-snapshots"];
  return command.name === "cache-list" || command.name === "cache-clear";
}

/**
 * The folders named on the command line.
 * @throws LongsightError `usage` for one that is not there: without it an answer would quietly be another one
 */
async function moduleFolders(command: Command): Promise<string[]> {
  if (command.name !== "ask" && command.name !== "heatmap" && command.name !== "compare") return [];
  const folders = command.options.modules.map((folder) => resolve(folder));
  for (const folder of folders) {
    const found = await stat(folder).catch(() => null);
    if (found?.isDirectory() === true) continue;
    throw new LongsightError("usage", `--modules takes a folder with lookahead modules; ${folder} is none.`);
  }
  return folders;
}

async function main(argv: readonly string[]): Promise<number> {
  const output = createOutput(argv.includes("--json"), process.stdout, process.stderr);
  const controller = new AbortController();
  // The first signal stops the work in order, the second ends the process. The listeners stay: a package among our dependencies
  // raises the signal again as soon as it finds itself alone with it.
  const stop = () => (controller.signal.aborted ? process.exit(130) : controller.abort());
  process.on("SIGINT", stop).on("SIGTERM", stop);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that goes away (`| head`) is no error of ours; an answer that could not be written is.
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`The output could not be written (${error.message}). Check that the disk has room.\n`);
    process.exit(6);
  });
  // Progress that nobody reads must not cost the answer.
  process.stderr.on("error", () => undefined);
  try {
    await run(parseCommand(argv), output, controller.signal);
    return 0;
  } catch (error) {
    const problem = toProblem(error);
    output.problem(problem);
    const wantsDetail = problem.code === "engine-failed" || process.env["LONGSIGHT_DEBUG"] !== undefined;
    if (wantsDetail && problem.detail !== undefined) process.stderr.write(`${problem.detail}\n`);
    return exitCodeOf(problem.code);
  }
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
