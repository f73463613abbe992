import type { Stage, StreamEvent } from "../contract/engine.ts";
import type { Problem } from "../contract/errors.ts";

/** Where a command writes: the answer on stdout, progress on stderr; with --json, objects on stdout only. */
export type Output = {
  /** One object a line; does nothing without --json. */
  event(value: Record<string, unknown>): void;
  /** Text for people on stdout; does nothing with --json. */
  text(value: string): void;
  /** A line for people on stderr that is no part of the answer: what it cost; does nothing with --json. */
  summary(sentence: string): void;
  /** Shows a stream's progress and passes tokens on. */
  stream(event: StreamEvent): void;
  /** Something to know that is no error: a line on stderr, with --json an object `notice`. */
  notice(sentence: string): void;
  problem(problem: Problem): void;
};

const stageNames: Record<Stage, string> = {
  wait: "Waiting",
  download: "Downloading the model",
  verify: "Checking what was downloaded",
  load: "Loading the model",
  extract: "Reading the document",
  recognise: "Recognising text",
  tokenise: "Counting tokens",
  restore: "Restoring what was read before",
  prefill: "Reading into the model",
  draft: "Drafting an answer",
  scoring: "Scoring importance",
  eviction: "Evicting",
  decode: "Writing",
};

/** What is used of a process's stdout and stderr. */
export type Sink = { write(text: string): unknown; readonly isTTY?: boolean | undefined };

export function createOutput(json: boolean, stdout: Sink, stderr: Sink): Output {
  let lastStage = "";
  let unfinished = false;
  let answering = false;
  const print = (sink: Sink, text: string) => {
    if (unfinished) stderr.write("\n");
    unfinished = false;
    sink.write(sink.isTTY === true ? harmless(text) : text);
  };
  const printObject = (value: Record<string, unknown>) => stdout.write(`${JSON.stringify(value, withoutNames)}\n`);
  // A terminal gets one line that changes; a file or pipe one line per stage.
  const showProgress = (event: Extract<StreamEvent, { event: "progress" }>) => {
    // While it is written, the answer itself shows how far it is; a line of progress would wipe out its last line. Drafting, scoring
    // and eviction come after its first token.
    if (event.stage === "decode" || (answering && stderr.isTTY === true)) return;
    const percent = `${Math.floor(event.fraction * 100)} %`;
    const left = event.secondsLeft === null || event.fraction >= 1 ? "" : ` · about ${Math.ceil(event.secondsLeft)} s left`;
    const shown = `${stageNames[event.stage]} · ${percent}${left}`;
    if (stderr.isTTY === true) {
      unfinished = event.fraction < 1;
      stderr.write(`\r\x1B[K${shown}${unfinished ? "" : "\n"}`);
    } else if (event.fraction >= 1 && lastStage !== event.stage) {
      stderr.write(`${shown}\n`);
      lastStage = event.stage;
    }
  };
  const notice = (sentence: string) => {
    if (json) printObject({ event: "notice", message: sentence });
    else print(stderr, `! ${sentence}\n`);
  };
  return {
    event(value) {
      if (json) printObject(value);
    },
    text(value) {
      if (!json) print(stdout, value);
    },
    stream(event) {
      if (event.event === "turn" || event.event === "outline") return;
      if (json) printObject(event);
      else if (event.event === "progress") showProgress(event);
      else if (event.event === "notice") notice(event.message);
      else {
        answering = true;
        print(stdout, event.text);
      }
    },
    summary(sentence) {
      if (!json) print(stderr, `${sentence}\n`);
    },
    notice,
    problem(problem) {
      if (json) printObject({ event: "error", ...problem });
      else print(stderr, `${problem.message}\n`);
    },
  };
}

/** Sentences are in English here: their names are for windows. */
const withoutNames = (key: string, value: unknown): unknown => (key === "said" || key === "saidNotices" ? undefined : value);

/** Text without the characters that command a terminal: documents, file names and models may hold any. */
function harmless(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => (character === "\n" || character === "\t" ? character : ""));
}
