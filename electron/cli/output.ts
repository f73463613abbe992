import type { Stage, StreamEvent } from "../contract/engine.ts";
import type { Problem } from "../contract/errors.ts";

/** Where a command writes: the answer on stdout, progress on stderr; with --json, objects on stdout only. */
export type Output = {
  /** One object a line; does nothing without --json. */
  event(value: Record<string, unknown>): void;
  /** Text for people on stdout; does nothing with --json. */
  text(value: string): void;
  /** Shows a stream's progress and passes tokens on. */
  stream(event: StreamEvent): void;
  /** Something to know that is no error. */
  notice(sentence: string): void;
  problem(problem: Problem): void;
};

const stageNames: Record<Stage, string> = {
  wait: "Waiting",
  load: "Loading the model",
  extract: "Reading the document",
  tokenise: "Counting tokens",
  prefill: "Reading into the model",
  scoring: "Scoring importance",
  eviction: "Evicting",
  decode: "Writing",
};

export function createOutput(json: boolean, stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Output {
  let line = "";
  // A terminal gets one line that changes; a file or pipe one line per stage.
  const showProgress = (event: Extract<StreamEvent, { event: "progress" }>) => {
    const percent = `${Math.floor(event.fraction * 100)} %`;
    const left = event.secondsLeft === null || event.fraction >= 1 ? "" : ` · about ${Math.ceil(event.secondsLeft)} s left`;
    const shown = `${stageNames[event.stage]} · ${percent}${left}`;
    if (stderr.isTTY) {
      stderr.write(`\r\x1B[K${shown}${event.fraction >= 1 ? "\n" : ""}`);
    } else if (event.fraction >= 1 && line !== event.stage) {
      stderr.write(`${shown}\n`);
      line = event.stage;
    }
  };
  return {
    event(value) {
      if (json) stdout.write(`${JSON.stringify(value)}\n`);
    },
    text(value) {
      if (!json) stdout.write(value);
    },
    stream(event) {
      if (event.event === "progress") {
        if (json) stdout.write(`${JSON.stringify(event)}\n`);
        else showProgress(event);
      } else if (event.event === "token") {
        if (json) stdout.write(`${JSON.stringify(event)}\n`);
        else stdout.write(event.text);
      }
    },
    notice(sentence) {
      if (!json) stderr.write(`! ${sentence}\n`);
    },
    problem(problem) {
      if (json) stdout.write(`${JSON.stringify({ event: "error", ...problem })}\n`);
      else stderr.write(`${problem.message}\n`);
    },
  };
}
