import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEngine, storyOf, type TestEngine } from "./support/engine.ts";

const question = "What is the code of the harbour light?";

let app: TestEngine;
let documentId: string;
beforeAll(async () => {
  app = await startEngine({ contextLength: 4096 });
  documentId = (await app.openText("log.txt", storyOf(1500))).id;
}, 120_000);
afterAll(() => app.dispose());

describe("streaming", () => {
  test("holds a window and the budget at most, and answers", async () => {
    const { figures } = await app.ask(await app.converse([documentId]), question, { budget: 256, policy: "snapkv", mode: "streaming" });
    console.log(figures);
    expect(figures).toMatchObject({ mode: "streaming", keptTokens: 256, scoredFor: "question" });
  });
});

describe("once", () => {
  test("adds the second turn", async () => {
    const conversation = await app.converse([documentId]);
    const first = await app.ask(conversation, question, { budget: 256, policy: "snapkv", mode: "once" });
    console.log(first.figures);
    const second = await app.ask(conversation, "When was it built?", { budget: 256, policy: "snapkv", mode: "once" });
    console.log(second.figures);
  });
});
