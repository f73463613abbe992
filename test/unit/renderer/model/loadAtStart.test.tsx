import { afterEach, describe, expect, test } from "vitest";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import { ConversationPane } from "../../../../renderer/answer/ConversationPane.tsx";
import { createDesk, type Desk, eventually, model } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

type Load = { model: string; contextLength: number | null; threads: number | null };

/** A start with these settings, where the engine loads only what `loads` says. */
async function startedWith(settings: Parameters<Desk["set"]>[0], loads: (request: Load) => boolean, embedded = true): Promise<void> {
  desk = createDesk({
    loadModel: (request: Load) => {
      if (!loads(request)) throw new LongsightError("model-missing", `“${request.model}” could not be loaded.`);
      return model;
    },
    currentModel: () => null,
    ...(embedded ? {} : { listModels: () => [] }),
  });
  desk.set(settings);
  await desk.session.start();
  await eventually(() => expect(desk.asked.some((call) => call.method === "loadModel")).toBe(true));
  await eventually(() => expect(desk.session.stores.model.getState().loading).toBeNull());
}

const problems = (): string[] => desk.session.stores.shell.getState().problems.map(({ problem }) => problem.message);

describe("a model that cannot be loaded at the start", () => {
  test("is replaced by the embedded one, with a notice and without forgetting the choice", async () => {
    await startedWith({ model: "/gone/model.gguf" }, (request) => request.model === "small");
    await eventually(() => expect(desk.session.stores.model.getState().current?.report.id).toBe("small"));
    await eventually(() =>
      expect(problems()).toEqual(["“/gone/model.gguf” could not be loaded. “Small” was loaded instead, with automatic settings."]),
    );
    expect(desk.settings().model).toBe("/gone/model.gguf");
  });

  test("is tried again with automatic settings where it is the embedded one", async () => {
    await startedWith({ contextLength: 8192 }, (request) => request.contextLength === null);
    await eventually(() =>
      expect(problems()).toEqual(["“small” could not be loaded. “Small” was loaded instead, with automatic settings."]),
    );
  });

  test("is not tried twice in the same way", async () => {
    await startedWith({}, () => false);
    await eventually(() => expect(show(desk.session, <ConversationPane />)).toContain("“small” could not be loaded."));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(desk.asked.filter((call) => call.method === "loadModel")).toHaveLength(1);
    expect(problems()).toEqual([]);
  });

  test("says why where the composer says that there is none", async () => {
    await startedWith({ model: "/gone/model.gguf" }, () => false, false);
    await eventually(() =>
      expect(show(desk.session, <ConversationPane />)).toMatch(
        /<p class="composer-reason" role="status">“\/gone\/model\.gguf” could not be loaded\./,
      ),
    );
    expect(problems()).toEqual([]);
  });

  test("is named beside the embedded one when that cannot be loaded either", async () => {
    await startedWith({ model: "/gone/model.gguf" }, () => false);
    await eventually(() => expect(problems()).toEqual(["“/gone/model.gguf” could not be loaded."]));
    expect(show(desk.session, <ConversationPane />)).toContain("“small” could not be loaded.");
  });
});
