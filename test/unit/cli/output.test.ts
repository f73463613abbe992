import { describe, expect, it } from "vitest";
import { createOutput } from "../../../electron/cli/output.ts";
import type { Stage, StreamEvent } from "../../../electron/contract/engine.ts";

/** A stream that remembers what was written. */
function sink(isTTY: boolean) {
  const written: string[] = [];
  return {
    isTTY,
    write: (text: string) => {
      written.push(text);
      return true;
    },
    get text() {
      return written.join("");
    },
  };
}

function outputs(options: { json?: boolean; terminal?: boolean } = {}) {
  const stdout = sink(options.terminal === true);
  const stderr = sink(options.terminal === true);
  return { stdout, stderr, output: createOutput(options.json === true, stdout, stderr) };
}

function progress(stage: Stage, fraction: number, secondsLeft: number | null = null): StreamEvent {
  return { event: "progress", stage, fraction, done: fraction * 100, total: 100, secondsLeft };
}

const token = (text: string): StreamEvent => ({ event: "token", text });

const turn: StreamEvent = {
  event: "turn",
  turn: { id: "t1", question: "Why?", answer: "", status: "writing", figures: null, problem: null, createdAt: 1 },
};

describe("with --json", () => {
  it("is one object a line on stdout and nothing else anywhere", () => {
    const { stdout, stderr, output } = outputs({ json: true });
    output.event({ event: "document", name: "line\nbreak \u2028 “quoted”.pdf", notices: ["one"] });
    output.notice("Page 3 has no text.");
    output.stream({ event: "notice", message: "The disk is full." });
    output.stream(progress("prefill", 0.5, 3.2));
    output.stream(turn);
    output.stream(token("Because\n\nof \u001b[31mthis\u0000 🙂"));
    output.text("\n");
    output.summary("read 6 tokens");
    output.event({ event: "done", answer: "Because" });
    output.problem({ code: "cancelled", message: "Stopped." });
    output.problem({ code: "document-missing", message: "“a.pdf” is gone.", detail: "ENOENT" });

    expect(stdout.text.endsWith("\n")).toBe(true);
    const events = stdout.text
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(events).toEqual([
      { event: "document", name: "line\nbreak \u2028 “quoted”.pdf", notices: ["one"] },
      { event: "notice", message: "Page 3 has no text." },
      { event: "notice", message: "The disk is full." },
      { event: "progress", stage: "prefill", fraction: 0.5, done: 50, total: 100, secondsLeft: 3.2 },
      { event: "token", text: "Because\n\nof \u001b[31mthis\u0000 🙂" },
      { event: "done", answer: "Because" },
      { event: "error", code: "cancelled", message: "Stopped." },
      { event: "error", code: "document-missing", message: "“a.pdf” is gone.", detail: "ENOENT" },
    ]);
    expect(stderr.text).toBe("");
  });
});

describe("for people", () => {
  it("is the answer alone on stdout, and everything else on stderr", () => {
    const { stdout, stderr, output } = outputs();
    output.event({ event: "document", name: "a.pdf" });
    output.notice("Page 3 has no text.");
    output.stream(progress("prefill", 0));
    output.stream(progress("prefill", 1));
    output.stream(turn);
    for (const text of ["Because", " of", " this."]) output.stream(token(text));
    output.text("\n");
    output.summary("read 6 tokens");
    output.problem({ code: "document-missing", message: "“a.pdf” is gone.", detail: "ENOENT" });
    expect(stdout.text).toBe("Because of this.\n");
    expect(stderr.text).toBe("! Page 3 has no text.\nReading into the model · 100 %\nread 6 tokens\n“a.pdf” is gone.\n");
  });

  it("has one line a stage in a pipe, each stage that comes", () => {
    const { stderr, output } = outputs();
    for (const stage of ["load", "extract", "tokenise", "prefill"] as const) {
      for (const fraction of [0, 0.3, 1, 1]) output.stream(progress(stage, fraction));
    }
    expect(stderr.text.trimEnd().split("\n")).toHaveLength(4);
    expect(stderr.text).not.toContain("\u001b");
  });

  it("has one line that changes on a terminal, with percent and time left", () => {
    const { stderr, output } = outputs({ terminal: true });
    output.stream(progress("prefill", 0.249, 12.2));
    output.stream(progress("prefill", 0.999));
    output.stream(progress("prefill", 1, 0));
    expect(stderr.text.split("\r\u001b[K")).toEqual([
      "",
      "Reading into the model · 24 % · about 13 s left",
      "Reading into the model · 99 %",
      "Reading into the model · 100 %\n",
    ]);
  });

  it("leaves an answer that is being written alone", () => {
    for (const terminal of [true, false]) {
      const { stdout, stderr, output } = outputs({ terminal });
      for (const [index, text] of ["Because", " of", " this."].entries()) {
        output.stream(token(text));
        output.stream(progress("decode", (index + 1) / 3, 1));
      }
      expect([stdout.text, stderr.text]).toEqual(["Because of this.", ""]);
    }
  });

  it("tells of scoring and eviction, but not over an answer that has begun", () => {
    const afterToken = (terminal: boolean) => {
      const { stderr, output } = outputs({ terminal });
      output.stream(token("Because"));
      for (const stage of ["scoring", "eviction"] as const) for (const fraction of [0, 1]) output.stream(progress(stage, fraction));
      return stderr.text;
    };
    expect(afterToken(true)).toBe("");
    expect(afterToken(false)).toBe("Scoring importance · 100 %\nEvicting · 100 %\n");
    const { stderr, output } = outputs({ terminal: true });
    output.stream(progress("scoring", 1));
    expect(stderr.text).toContain("Scoring importance · 100 %");
  });

  it("sets what comes after an unfinished line on a line of its own", () => {
    const half = () => {
      const made = outputs({ terminal: true });
      made.output.stream(progress("prefill", 0.4));
      return made;
    };
    const stopped = half();
    stopped.output.problem({ code: "cancelled", message: "Stopped." });
    expect(stopped.stderr.text).toBe("\r\u001b[KReading into the model · 40 %\nStopped.\n");
    const noticed = half();
    noticed.output.notice("Note.");
    noticed.output.notice("Another.");
    expect(noticed.stderr.text).toBe("\r\u001b[KReading into the model · 40 %\n! Note.\n! Another.\n");
    const answered = half();
    answered.output.stream(token("Because"));
    answered.output.stream(token(" of"));
    expect(answered.stderr.text).toBe("\r\u001b[KReading into the model · 40 %\n");
    const listed = half();
    listed.output.text("List\n");
    expect(listed.stderr.text.endsWith("40 %\n")).toBe(true);
  });

  it("gives the terminal no commands that a document or a model wrote", () => {
    const { stdout, stderr, output } = outputs({ terminal: true });
    for (const text of ["\u001b", "]0;title\u0007", "a\u001b[2Jb\u009bc\rd", "e\tf\ng — 🙂"]) output.stream(token(text));
    output.text("name \u001b[31mred\n");
    output.notice("\u001b[1mloud");
    output.problem({ code: "document-missing", message: "“\u001b[5m.pdf” is gone." });
    expect(stdout.text).toBe("]0;titlea[2Jbcde\tf\ng — 🙂name [31mred\n");
    expect(stderr.text).toBe("! [1mloud\n“[5m.pdf” is gone.\n");
  });

  it("passes an answer on as it is where it goes into a file", () => {
    const { stdout, output } = outputs();
    output.stream(token("a\u001bb\r\n"));
    expect(stdout.text).toBe("a\u001bb\r\n");
  });
});
