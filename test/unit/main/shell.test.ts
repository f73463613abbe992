import { describe, expect, it } from "vitest";
import { LongsightError } from "../../../electron/contract/errors.ts";
import { settingsSchema } from "../../../electron/contract/shell.ts";
import { answerShell, type ShellHandlers } from "../../../electron/main/shell.ts";

const settings = settingsSchema.parse({});
const seen: unknown[] = [];
const handlers: ShellHandlers = {
  chooseFiles: ({ purpose }) => [`/a/${purpose}`],
  saveText: ({ name }) => ({ path: `/chosen/${name}` }),
  getSettings: () => settings,
  changeSettings: (change) => {
    seen.push(change);
    return settings;
  },
  getEngineState: () => ({ state: "ready" }),
  restartEngine: () => {
    throw new Error("broken");
  },
  sampleDocument: () => null,
  takeFilesToOpen: () => [],
  dataFolder: () => "/data",
  openDataFolder: () => ({}),
  notify: () => ({ shown: true }),
  openLink: () => {
    throw new LongsightError("not-supported", "No.", "why");
  },
};

describe("requests of the window", () => {
  it("are answered with their handler's reply", async () => {
    expect(await answerShell(handlers, { method: "chooseFiles", payload: { purpose: "model" } })).toEqual({
      ok: true,
      value: ["/a/model"],
    });
    expect(await answerShell(handlers, { method: "takeFilesToOpen", payload: {} })).toEqual({ ok: true, value: [] });
  });

  it("change only what they name", async () => {
    await answerShell(handlers, { method: "changeSettings", payload: { theme: "dark" } });
    expect(seen).toEqual([{ theme: "dark" }]);
  });

  it.each([
    [null],
    ["getSettings"],
    [{ method: "toString", payload: {} }],
    [{ method: "__proto__", payload: {} }],
    [{ method: "constructor", payload: {} }],
    [{ method: "chooseFiles", payload: { purpose: "anything" } }],
    [{ method: "openLink", payload: { address: 5 } }],
    [{ method: "openLink", payload: null }],
  ])("that are not in the contract (%j) are refused as data", async (message) => {
    expect(await answerShell(handlers, message)).toMatchObject({ ok: false, problem: { code: "usage" } });
  });

  it("that fail carry code, sentence and detail as data", async () => {
    expect(await answerShell(handlers, { method: "openLink", payload: { address: "x" } })).toEqual({
      ok: false,
      problem: { code: "not-supported", message: "No.", detail: "why" },
    });
    expect(await answerShell(handlers, { method: "restartEngine", payload: {} })).toMatchObject({
      ok: false,
      problem: { code: "engine-failed" },
    });
  });
});
