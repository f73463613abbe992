import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { below } from "../../bench/quality/chance.ts";
import type { CacheMode } from "../../electron/contract/conversation.ts";
import type { Stage, StreamEvent } from "../../electron/contract/engine.ts";
import type { Policy } from "../../electron/contract/policies.ts";
import { randomOf } from "../../electron/engine/lookahead/xoshiro.ts";
import { root, smol, startEngine, storyOf, type TestEngine } from "./support/engine.ts";

// Stop at moments that chance has drawn, over all modes and all of their stages, with snapshots and without, in one engine that nothing resets.

const moments = 20;
/** Fixes which moments there are: with this one every mode is stopped in all of its stages. */
const seed = 205;
const text = storyOf(450);

/** How a question is answered, and the stages that such an answer shows. */
type Way = { readonly mode: CacheMode; readonly policy: Policy; readonly stages: readonly [Stage, ...Stage[]] };
const ways: readonly [Way, ...Way[]] = [
  { mode: "question", policy: "lookahead", stages: ["restore", "prefill", "scoring", "eviction", "decode"] },
  { mode: "once", policy: "lookahead", stages: ["prefill", "decode"] },
  { mode: "streaming", policy: "lookahead", stages: ["prefill", "decode"] },
  { mode: "question", policy: "laq", stages: ["prefill", "draft", "scoring", "eviction", "decode"] },
  { mode: "question", policy: "full", stages: ["restore", "prefill", "decode"] },
  { mode: "streaming", policy: "snapkv", stages: ["prefill", "decode"] },
  { mode: "question", policy: "h2o", stages: ["prefill", "eviction", "decode"] },
  { mode: "once", policy: "tova", stages: ["prefill", "decode"] },
];

/** Stages of which one sees how far they are. The others are over at once, or (a draft) at an end of their own. */
const gradual: readonly Stage[] = ["restore", "prefill", "decode"];

type Moment = {
  readonly number: number;
  readonly way: Way;
  readonly stage: Stage;
  /** How much of the stage is done at least, 0 … 1, and how many milliseconds later it is stopped. */
  readonly fraction: number;
  readonly delay: number;
  readonly hasSnapshots: boolean;
  /** How the next question is asked. */
  readonly next: Way;
  readonly isSameQuestion: boolean;
};

/** Each way in turn, the rest by chance. */
function drawMoments(): Moment[] {
  const random = randomOf(seed);
  return Array.from({ length: moments }, (_, number) => {
    const way = ways[number % ways.length] ?? ways[0];
    const stage = way.stages[below(random, way.stages.length)] ?? way.stages[0];
    const part = below(random, 90) / 100;
    return {
      number,
      way,
      stage,
      fraction: gradual.includes(stage) ? part : 0,
      delay: below(random, 4) * 20,
      hasSnapshots: stage === "restore" || below(random, 2) === 0,
      next: ways[below(random, ways.length)] ?? ways[0],
      isSameQuestion: below(random, 2) === 0,
    };
  });
}

function nameOf({ number, way, stage, next }: Moment): string {
  return `${number + 1}. ${way.policy} in mode ${way.mode}, stopped in ${stage}, then ${next.policy} in mode ${next.mode}`;
}

const budgetOf = ({ policy }: Way) => (policy === "full" ? "full" : 96);
const maxTokens = 12;

let used: TestEngine;
let fresh: TestEngine;
let folder: string;
let documentId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight-cancel-"));
  const moduleFolders = [join(root, "assets", "lookahead")];
  used = await startEngine({ contextLength: 2048 }, { moduleFolders, snapshotFolder: join(folder, "snapshots") });
  fresh = await startEngine({ contextLength: 2048 }, { moduleFolders });
  for (const app of [used, fresh]) documentId = (await app.openText("log.txt", text)).id;
}, 120_000);
afterAll(async () => {
  await used.dispose();
  await fresh.dispose();
  await rm(folder, { recursive: true, force: true });
});

const answer = async (
  app: TestEngine,
  question: string,
  way: Way,
  options: { signal?: AbortSignal; onEvent?: (event: StreamEvent) => void } = {},
) => {
  const { mode, policy } = way;
  const asked = { mode, policy, budget: budgetOf(way), sampling: { maxTokens, seed: 1 }, ...options } as const;
  return (await app.ask(await app.converse([documentId]), question, asked)).figures;
};

/** Frees both caches, so that the document has to come from disk or be read; the former only with snapshots. */
async function clear(hasSnapshots: boolean): Promise<void> {
  if (!hasSnapshots) await used.call("clearSnapshots", { documentId: null });
  await used.ask(await used.converse([]), "Hello, who are you?", { budget: 24, policy: "streamingllm", sampling: { maxTokens: 2 } });
}

/** Asks and stops. @returns whether it was stopped, and the stages that were seen */
async function stopAt({ way, stage, fraction, delay }: Moment, question: string): Promise<{ stopped: boolean; seen: Set<Stage> }> {
  const controller = new AbortController();
  const seen = new Set<Stage>();
  let written = 0;
  const stop = () => void setTimeout(delay).then(() => controller.abort());
  const onEvent = (event: StreamEvent) => {
    // Progress of decoding comes by the clock; tokens come one by one.
    if (event.event === "token" && stage === "decode" && ++written > fraction * maxTokens * 0.5) stop();
    if (event.event !== "progress") return;
    seen.add(event.stage);
    if (event.stage === stage && stage !== "decode" && event.fraction >= fraction) stop();
  };
  const stopped = await answer(used, question, way, { signal: controller.signal, onEvent }).then(
    (figures) => figures.stopReason === "cancelled",
    () => true,
  );
  return { stopped, seen };
}

let context = 2048;
/** An engine that has never seen the document: a context of another length is a new one. */
async function forget(): Promise<void> {
  context = context === 2048 ? 2304 : 2048;
  await fresh.call("loadModel", { model: smol, contextLength: context, kvType: "f16", threads: null });
}

describe("Stop", () => {
  let [stops, restores] = [0, 0];
  const stagesStopped = new Set<string>();

  beforeAll(async () => {
    // So that there is something to restore from the first moment on; the model's file has to be hashed first.
    for (let tries = 0; tries < 20 && (await used.call("snapshotUsage", {})).totalBytes === 0; tries++) {
      await answer(used, `What comes by boat? (${tries})`, ways[0]);
    }
  });

  test.each(drawMoments().map((moment) => [nameOf(moment), moment] as const))("%s", async (_, moment) => {
    const { number, way, stage, hasSnapshots, next, isSameQuestion } = moment;
    const question = `What is the code of the harbour light? (${number})`;
    await clear(hasSnapshots);
    const { stopped, seen } = await stopAt(moment, isSameQuestion ? question : `When was the light built? (${number})`);
    expect(seen).toContain(stage);
    if (stopped) stagesStopped.add(`${way.mode} ${stage}`);
    if (stopped) stops += 1;
    const figures = await answer(used, question, next);
    await forget();
    const expected = await answer(fresh, question, next);
    expect(expected).toMatchObject({ cachedTokens: 0, restoredTokens: 0, scoresStored: false });
    expect({ answer: figures.answer, documents: figures.documents }).toEqual({ answer: expected.answer, documents: expected.documents });
    restores += figures.restoredTokens > 0 ? 1 : 0;
  });

  test("came in all stages of all modes, and something was restored afterwards", () => {
    // A moment late in an answer may come when it has ended.
    expect(stops).toBeGreaterThan(0.7 * moments);
    expect(restores).toBeGreaterThan(0);
    const all = ways.flatMap(({ mode, stages }) => stages.map((stage) => `${mode} ${stage}`));
    expect([...stagesStopped].sort()).toEqual([...new Set(all)].sort());
  });
});
