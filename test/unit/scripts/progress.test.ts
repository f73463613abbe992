import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { inWords, progress, progressLine } from "../../../scripts/progress.mjs";

function recorded(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  let time = 0;
  return {
    stream,
    now: () => time,
    wait: (ms: number) => {
      time += ms;
    },
    text: () => String(stream.read() ?? ""),
  };
}

describe("progress", () => {
  it("estimates the time left from its own speed, once it has one", () => {
    expect(progressLine("Compiling", 0, 0)).toBe("Compiling");
    expect(progressLine("Compiling", 0.01, 10_000)).toBe("Compiling · 1 %");
    expect(progressLine("Compiling", 0.25, 60_000)).toBe("Compiling · 25 % · about 3 min left");
    expect(progressLine("Compiling", 0.5, 30_000)).toBe("Compiling · 50 % · about 30 s left");
    expect(progressLine("Compiling", 1, 30_000)).toBe("Compiling · 100 %");
    expect(inWords(0.2)).toBe("1 s");
  });

  it("writes a line for a new step and then one now and then where there is no terminal", () => {
    const record = recorded(false);
    const shown = progress(record);
    shown.say("One", 0);
    record.wait(500);
    shown.say("One", 0.1);
    record.wait(10_000);
    shown.say("One", 0.5);
    shown.say("Two", 0.6);
    shown.end();
    expect(record.text().trimEnd().split("\n")).toEqual(["One", "One · 50 % · about 11 s left", expect.stringMatching(/^Two · 60 %/)]);
  });

  it("rewrites one line on a terminal", () => {
    const record = recorded(true);
    const shown = progress(record);
    shown.say("One", 0);
    record.wait(300);
    shown.say("One", 0.1);
    shown.end();
    expect(record.text().split("\n")).toHaveLength(2);
  });

  it("keeps quiet about what is over at once, and shows what lasts", () => {
    const record = recorded(false);
    const shown = progress({ ...record, quiet: true });
    shown.say("One", 0);
    record.wait(100);
    shown.say("Two", 0.2);
    expect(record.text()).toBe("");
    record.wait(3_000);
    shown.say("Two", 0.4);
    expect(record.text()).toMatch(/^Two · 40 %/);
  });
});
