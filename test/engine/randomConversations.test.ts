import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AnswerFigures } from "../../electron/contract/conversation.ts";
import type { Policy } from "../../electron/contract/policies.ts";
import { type PlannedTurn, planConversation } from "./support/conversations.ts";
import { root, smol, startEngine, storyOf, type TestEngine } from "./support/engine.ts";

// Conversations as people have them: documents come and go, budgets and policies change, the full cache is freed, restored and reused. After
// each turn the answer must be that of an engine that reads the whole conversation for the first time. LONGSIGHT_CONVERSATIONS says how many.

const conversations = Number(process.env["LONGSIGHT_CONVERSATIONS"] ?? 3);
const turns = 5;
/** Tokens of each document, about. */
const sizes = [90, 140, 200];
/** Larger than any prompt here, so that nothing is evicted. */
const whole = 100_000;
const kept = 256;

type Speaker = {
  /** Sets the documents and asks; what was asked in this turn before is replaced. */
  ask(turn: PlannedTurn, choice: { budget: number; policy: Policy; mode?: "question" | "once" | "streaming" }): Promise<AnswerFigures>;
  next(): void;
};

async function speaker(app: TestEngine, before: () => Promise<unknown>): Promise<Speaker> {
  const ids: string[] = [];
  for (const [index, size] of sizes.entries()) {
    const text = `Volume ${"ABC"[index]}. ${storyOf(size, `${index + 1}71${index + 4}`)}`;
    ids.push((await app.openText(`volume ${index + 1}.txt`, text)).id);
  }
  const conversationId = await app.converse([]);
  let replaced: string | undefined;
  return {
    async ask({ documents, question, seed }, choice) {
      await app.call("setConversationDocuments", {
        conversationId,
        documents: documents.map((number) => ({ documentId: ids[number] ?? "", pages: null })),
      });
      await before();
      const options = { ...choice, sampling: { maxTokens: 10, seed }, ...(replaced === undefined ? {} : { replaceTurnId: replaced }) };
      const { turn, figures } = await app.ask(conversationId, question, options);
      replaced = turn.id;
      return figures;
    },
    next() {
      replaced = undefined;
    },
  };
}

/** What must not depend on what the engine did before. */
const comparable = ({ answer, stopReason, promptTokens, policy, keptTokens, documents, seed }: AnswerFigures) => ({
  answer,
  stopReason,
  promptTokens,
  policy,
  keptTokens,
  documents,
  seed,
});

describe("a conversation that chance has planned", () => {
  let folder: string;
  const running: TestEngine[] = [];
  const start = async (snapshotFolder: string | null) => {
    const app = await startEngine({ contextLength: 4096 }, { moduleFolders: [join(root, "assets", "lookahead")], snapshotFolder });
    running.push(app);
    return app;
  };
  let used: TestEngine;
  let fresh: TestEngine;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "longsight-conversations-"));
    used = await start(join(folder, "snapshots"));
    fresh = await start(null);
  }, 120_000);
  afterAll(async () => {
    for (const app of running) await app.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  let context = 4096;
  /** A context of another length is a new one: nothing is in it, and no scores are remembered. */
  const forget = async () => {
    context = context === 4096 ? 4352 : 4096;
    await fresh.call("loadModel", { model: smol, contextLength: context, kvType: "f16", threads: null });
  };

  test.each(Array.from({ length: conversations }, (_, index) => index + 1))(
    "number %d answers in every turn as if all of it were read for the first time",
    async (seed) => {
      const [one, other] = [await speaker(used, async () => undefined), await speaker(fresh, forget)];
      let [reused, evicted] = [0, 0];
      for (const [place, turn] of planConversation(seed, turns, sizes.length).entries()) {
        if (turn.aside !== null) await one.ask(turn, turn.aside);
        const choices = [
          { budget: whole, policy: turn.policy },
          { budget: kept, policy: turn.policy },
        ];
        if (turn.keptFirst) choices.reverse();
        for (const choice of choices) {
          const figures = await one.ask(turn, choice);
          const expected = await other.ask(turn, choice);
          const what = `turn ${place + 1}: documents ${turn.documents}, ${turn.policy}, budget ${choice.budget}`;
          expect(expected, what).toMatchObject({ cachedTokens: 0, restoredTokens: 0, scoresStored: false });
          expect(comparable(figures), what).toEqual(comparable(expected));
          if (choice.budget === whole) expect(figures, what).toMatchObject({ policy: "full", keptTokens: null });
          reused += figures.cachedTokens;
          evicted += figures.evictions;
        }
        one.next();
        other.next();
      }
      // Otherwise nothing was tested.
      expect(reused).toBeGreaterThan(0);
      expect(evicted).toBeGreaterThan(0);
    },
    600_000,
  );
});
