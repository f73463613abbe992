import { afterEach, expect, test } from "vitest";
import type { Importance } from "../../../../electron/contract/heatmap.ts";
import type { HeatSubject } from "../../../../renderer/heat/heatStore.ts";
import { heatmapOf } from "../../support/heatmap.ts";
import { createDesk, type Desk, eventually, figures, turnOf } from "../fakeEngine.ts";

let desk: Desk;
afterEach(() => desk.session.dispose());

/** A prompt of one page, of which as many words are kept as the budget says. */
function importanceAt(budget: number, score = 0.1): Importance {
  const { timings: _timings, ...prompt } = heatmapOf([{ kind: "page", document: "a", page: 1, pieces: [" one", " two", " three"] }], {
    scores: (token) => score * (token + 1),
    kept: (token) => (token < budget ? 8 : 0),
  });
  return { ...prompt, budget, turnId: "t1", layerHead: null, grid: null };
}

async function started(score: () => number): Promise<void> {
  desk = createDesk({
    importance: ({ budget }: { budget: number }) => importanceAt(budget, score()),
    preview: ({ budget }: { budget: number }) => {
      const { policy, promptTokens, layers, heads, kept } = importanceAt(budget);
      return { policy, budget, promptTokens, layers, heads, keptTokens: budget, kept, documents: [], keptCacheBytes: null };
    },
  });
  desk.set({ budget: 1, policy: "snapkv" });
  await desk.session.start();
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
  const conversation = await desk.session.conversations.ensureCurrent();
  const turns = [turnOf("t1", { status: "done", answer: "x", figures })];
  desk.session.stores.conversations.setState({ current: { ...conversation, turns } });
}

async function readyAt(budget: number): Promise<Extract<HeatSubject, { status: "ready" }>> {
  await eventually(() => expect(desk.session.stores.heat.getState().subject).toMatchObject({ status: "ready", importance: { budget } }));
  const { subject } = desk.session.stores.heat.getState();
  if (subject.status !== "ready") throw new Error(subject.status);
  return subject;
}

test("another budget shows what it keeps of the same units, which are not cut anew", async () => {
  await started(() => 0.1);
  const before = await readyAt(1);
  await desk.session.changeChoice({ budget: 2 });
  const after = await readyAt(2);
  expect([...after.importance.kept]).toEqual([8, 8, 0]);
  expect(after.index).toBe(before.index);
});

test("other scores of the same prompt are cut and ranked anew", async () => {
  let score = 0.1;
  await started(() => score);
  const before = await readyAt(1);
  score = 0.2;
  await desk.session.changeChoice({ policy: "tova", budget: 2 });
  const after = await readyAt(2);
  expect(after.index).not.toBe(before.index);
  expect(after.index.ranked[0]).toBeCloseTo(0.2);
});
