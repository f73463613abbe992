import { afterEach, describe, expect, test } from "vitest";
import type { LoadedModel } from "../../../../electron/contract/model.ts";
import type { Settings } from "../../../../electron/contract/shell.ts";
import { StatusRow } from "../../../../renderer/app/StatusRow.tsx";
import { createDesk, type Desk, eventually, figures, idOf, measureOf, model, turnOf, usage } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

/** A session about a document whose prompt has 430 tokens. */
async function started(settings: Partial<Settings>, loaded: LoadedModel = model): Promise<Desk> {
  desk = createDesk({
    currentModel: () => loaded,
    loadModel: () => loaded,
    measurePrompt: () => measureOf({ documents: [{ documentId: idOf("a"), tokens: 400 }] }),
  });
  desk.set(settings);
  await desk.session.start();
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
  await desk.session.conversations.openFiles(["/files/a.pdf"]);
  await eventually(() => expect(desk.session.stores.prompt.getState().measured).not.toBeNull());
  return desk;
}

const row = (): string => show(desk.session, <StatusRow />);
const words = (): string =>
  row()
    .replace(/<[^>]*>/g, "|")
    .replaceAll("\u00a0", " ");
const valueText = (): string => /aria-valuetext="([^"]*)"/.exec(row())?.[1] ?? "no value text";

describe("the row of the budget", () => {
  test("keeps everything for a new user, and asks for no policy", async () => {
    await started({});
    expect(valueText()).toBe("everything kept: the full cache");
    expect(words()).toContain("|Budget:|");
    expect(words()).toContain("cache 1 B for 1,024 tokens (f16)");
    expect(row()).not.toContain("Policy:");
    expect(words()).not.toContain("again");
  });

  test("says a budget in tokens and percent, its policy, and what it means for the next question", async () => {
    await started({ budget: 64, policy: "streamingllm" });
    expect(valueText()).toBe("64 tokens per head · 15%");
    expect(row()).toContain('aria-label="Policy: StreamingLLM"');
    expect(words()).toContain("Each next question fetches the document from disk.");
  });

  test("says that the next question reads again where nothing is stored", async () => {
    await started({ budget: 64 });
    desk.session.stores.snapshots.setState({ usage: { ...usage, settings: { ...usage.settings, budgetBytes: 0 } } });
    expect(words()).toContain("Each next question reads the document again.");
  });

  test("says so too where an answer left nothing behind, and what there is once it did", async () => {
    await started({ budget: 64 });
    const { conversations, snapshots } = desk.session.stores;
    conversations.setState(({ current }) => ({ current: current && { ...current, turns: [turnOf("t1", { status: "done", figures })] } }));
    expect(words()).toContain("Each next question reads the document again.");
    const documents = [{ documentId: idOf("a"), name: "a.pdf", bytes: 10, usedAt: 1 }];
    snapshots.setState({ usage: { ...usage, totalBytes: 10, documents } });
    expect(words()).toContain("Each next question fetches the document from disk.");
  });

  test("says in each mode what it means for the next question", async () => {
    await started({ budget: 64, policy: "snapkv", mode: "once" });
    expect(row()).toContain('aria-label="Mode: Once for the documents"');
    expect(words()).not.toContain("next question");
    await desk.session.changeSettings({ mode: "streaming" });
    expect(row()).toContain('aria-label="Mode: In windows"');
    expect(words()).toContain("Each question reads the document from the beginning.");
  });

  test("asks how to share a budget only between several documents", async () => {
    await started({ budget: 64, share: "even" });
    expect(row()).not.toContain("Share:");
    await desk.session.conversations.openFiles(["/files/b.pdf"]);
    await eventually(() => expect(row()).toContain('aria-label="Share: Evenly"'));
    await desk.session.changeSettings({ mode: "once" });
    // That chooses again and again: the share waits for the mode that divides once.
    expect(row()).toContain('aria-label="Share: By score"');
    await desk.session.changeSettings({ budget: "full" });
    expect(row()).not.toMatch(/(Share|Mode|Policy):/);
  });

  test("names its slider, and places a budget among the stops", async () => {
    await started({ budget: 64 });
    // 48, 64, … 384 and everything: snapkv has no 32.
    expect(row()).toMatch(/role="slider" aria-label="Budget" aria-valuemin="0" aria-valuemax="7"/);
    expect(row()).toMatch(/class="budget-range" style="left:0%;right:85\.714/);
  });

  test("says beside the far end of the slider how much is kept", async () => {
    await started({});
    expect(words()).toMatch(/^\|+Budget:\|.*\|everything kept\|/);
    expect(row().indexOf('data-testid="budget"')).toBeGreaterThan(row().indexOf("budget-thumb"));
  });

  test("of a budget that is no smaller than the prompt says that all is kept", async () => {
    await started({ budget: 5000 });
    expect(valueText()).toBe("5,000 tokens per head · all of this prompt");
    expect(words()).not.toContain("again");
  });

  test("without a document says that the conversation is read again, once it is longer than the budget", async () => {
    desk = createDesk({ measurePrompt: () => measureOf({ documentTokens: 0, promptTokens: 21 }) });
    desk.set({ budget: 64 });
    await desk.session.start();
    expect(words()).not.toContain("again");
    const { prompt } = desk.session.stores;
    await eventually(() => expect(prompt.getState().measured).not.toBeNull());
    expect(words()).not.toContain("again");
    const { measured } = prompt.getState();
    prompt.setState({ measured: measured === null ? null : { ...measured, measure: { ...measured.measure, promptTokens: 65 } } });
    expect(words()).toContain("Each next question reads the conversation again.");
  });

  test("tells those who use the keyboard what a budget per head is", async () => {
    await started({ budget: 64 });
    const described = /aria-describedby="([^"]+)"[^>]*data-budget/.exec(row())?.[1];
    expect(described).toBeDefined();
    expect(row()).toMatch(new RegExp(`id="${described}"[^>]*>Tokens of the prompt [^<]*several heads`));
  });

  test.each([
    ["no module", null, "SnapKV"],
    ["an untrained module", { name: "module", steps: 0 }, "Lookahead (untrained)"],
    ["a trained module", { name: "module", steps: 10 }, "Lookahead"],
  ])("with %s says which policy is used", async (_case, lookahead, name) => {
    await started({ budget: 64, policy: "lookahead" }, { ...model, lookahead });
    expect(row()).toContain(`aria-label="Policy: ${name}"`);
  });

  test("tells what the last answer's cache came to, where it was shrunk", async () => {
    await started({ budget: 64 });
    const { conversations } = desk.session.stores;
    const shrunk = { ...figures, keptTokens: 64, fullCacheBytes: 143_000_000, keptCacheBytes: 6_000_000 };
    const end = (change: object) =>
      conversations.setState(({ current }) => ({
        current: current === null ? null : { ...current, turns: [turnOf("t1", { status: "done", figures, ...change })] },
      }));
    end({});
    expect(words()).not.toContain("→");
    end({ figures: shrunk });
    expect(words()).toContain("last answer: 143 MB → 6.0 MB");
  });

  test("remembers a budget", async () => {
    await started({});
    await desk.session.changeSettings({ budget: 256, policy: "random" });
    expect(desk.settings()).toMatchObject({ budget: 256, policy: "random" });
    expect(valueText()).toBe("256 tokens per head · 60%");
  });

  test("without a model offers nothing to choose", async () => {
    await started({ budget: 64 });
    desk.session.stores.model.setState({ current: null });
    expect(words()).toContain("none, as no model is loaded");
    expect(row()).not.toContain("slider");
  });
});

describe("the bytes of a budget", () => {
  const heatOf = (size: { budget: number; bytes: number | null } | null, promptTokens = 430) => {
    const importance = { promptTokens };
    const subject = { status: "ready", importance, index: { granularity: "word", pages: new Map(), ranked: new Float32Array(0) } };
    Reflect.apply(desk.session.stores.heat.setState, undefined, [{ subject, size }]);
  };

  test("are those of a cache that was measured, and nothing else", async () => {
    await started({ budget: 64, policy: "streamingllm" });
    expect(row()).not.toContain("budget-bytes");
    heatOf({ budget: 64, bytes: 4_100_000 });
    expect(words()).toContain("|4.1 MB|");
    // Another budget's are not its own.
    heatOf({ budget: 96, bytes: 4_100_000 });
    expect(words()).toContain("|not measured yet|");
    heatOf({ budget: 64, bytes: null });
    expect(words()).toContain("|not measured yet|");
  });

  test("stand beside a percentage of the prompt that the inspector tells of, which it names", async () => {
    await started({ budget: 64, policy: "streamingllm" });
    expect(valueText()).toBe("64 tokens per head · 15%");
    heatOf(null, 320);
    expect(valueText()).toBe("64 tokens per head · 20%");
    expect(row()).toContain("Of the 320 tokens of the last answer&#x27;s prompt.");
    // Enough for that one, and not for the next.
    await desk.session.changeSettings({ budget: 400 });
    heatOf(null, 320);
    expect(valueText()).toBe("400 tokens per head · 100%");
    heatOf(null, 400);
    await desk.session.changeSettings({ budget: 430 });
    expect(valueText()).toBe("430 tokens per head · all of this prompt");
  });

  test("stand beside a field with the number, or the word for everything", async () => {
    await started({ budget: 64, policy: "streamingllm" });
    expect(row()).toMatch(/role="spinbutton" aria-label="Budget in tokens per head" aria-valuemin="32" aria-valuenow="64"/);
    expect(row()).toContain('value="64"');
    await desk.session.changeSettings({ budget: "full" });
    expect(row()).toContain('value="all"');
  });
});
