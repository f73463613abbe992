import { describe, expect, it } from "vitest";
import { defaultSampling } from "../../../electron/contract/conversation.ts";
import {
  engineStateSchema,
  settingsSchema,
  shellContract,
  shellEventSchema,
  shellOutcomeSchema,
} from "../../../electron/contract/shell.ts";

describe("settings", () => {
  it("have a default for every field", () => {
    expect(settingsSchema.parse({})).toEqual({
      theme: "system",
      language: "system",
      textSize: "normal",
      model: null,
      contextLength: null,
      kvType: "f16",
      threads: null,
      gpuLayers: null,
      sampling: defaultSampling,
      budget: "full",
      policy: "lookahead",
      draftModel: null,
      mode: "question",
      share: "score",
      lastConversation: null,
      tourSeen: false,
      panes: [18, 50, 32],
      window: null,
    });
  });

  it("fall back one by one, whatever stands in their place", () => {
    for (const broken of [null, {}, [], "x", -1, Number.NaN, undefined]) {
      const all = Object.fromEntries(Object.keys(settingsSchema.shape).map((name) => [name, broken]));
      const kept = settingsSchema.parse({ ...all, theme: "dark" });
      expect(kept.theme).toBe("dark");
      expect(kept.sampling).toEqual(defaultSampling);
      expect(kept.panes).toEqual([18, 50, 32]);
      expect(kept).toMatchObject({ budget: "full", policy: "lookahead", mode: "question", share: "score" });
    }
  });

  it("are changed only where a change names them", () => {
    const { request } = shellContract.changeSettings;
    expect(request.parse({ theme: "dark" })).toEqual({ theme: "dark" });
    expect(request.parse({})).toEqual({});
  });

  it("hold only what the engine would take to load a model", () => {
    const asked = { model: "", contextLength: 4_194_305, threads: 99_999 };
    expect(settingsSchema.parse(asked)).toMatchObject({ model: null, contextLength: null, threads: null });
    const taken = { model: "m", contextLength: 4_194_304, threads: 512 };
    expect(settingsSchema.parse(taken)).toMatchObject(taken);
  });

  it("keep a window's place only as whole numbers", () => {
    const window = { x: -10, y: 0, width: 800, height: 600, maximised: false };
    expect(settingsSchema.parse({ window }).window).toEqual(window);
    expect(settingsSchema.parse({ window: { ...window, x: 0.5 } }).window).toBeNull();
  });
});

describe("what crosses between window and main", () => {
  it("is an outcome, good or bad", () => {
    expect(shellOutcomeSchema.parse({ ok: true, value: [1] })).toEqual({ ok: true, value: [1] });
    expect(shellOutcomeSchema.parse({ ok: false, problem: { code: "usage", message: "No." } })).toMatchObject({ ok: false });
    expect(shellOutcomeSchema.safeParse({ ok: false, value: 1 }).success).toBe(false);
  });

  it("says why the engine stopped, always", () => {
    expect(engineStateSchema.safeParse({ state: "stopped" }).success).toBe(false);
    const engine = { state: "stopped", problem: { code: "engine-died", message: "It ended." } };
    expect(shellEventSchema.parse({ event: "engine", engine })).toEqual({ event: "engine", engine });
  });

  it("is a known command, and a link of bearable length", () => {
    expect(shellEventSchema.safeParse({ event: "menu", command: "format-disk" }).success).toBe(false);
    expect(shellContract.openLink.request.safeParse({ address: `https://a/${"x".repeat(4096)}` }).success).toBe(false);
    expect(shellContract.chooseFiles.request.safeParse({ purpose: "passwords" }).success).toBe(false);
  });
});
