import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readHeader } from "../../electron/engine/llama/gguf.ts";
import { createModuleShelf } from "../../electron/engine/lookahead/moduleShelf.ts";
import { root, smol, startEngine, storyOf, type TestEngine } from "./support/engine.ts";
import { ensureStranger } from "./support/stranger.ts";

const shipped = join(root, "assets", "lookahead");

describe("the module that comes with the embedded model", () => {
  let app: TestEngine;
  beforeAll(async () => {
    app = await startEngine({ contextLength: 1024 }, { moduleFolders: [shipped] });
  });
  afterAll(() => app.dispose());

  test("is found for it, and has been trained", async () => {
    const { report, lookahead, notices } = (await app.call("currentModel", {})) ?? {};
    const plain = (name: string | undefined) => name?.replace(/[^a-z0-9]+/gi, " ");
    expect(plain(lookahead?.name)).toContain(plain(report?.name) ?? "no model");
    expect(lookahead?.steps).toBeGreaterThan(0);
    expect(notices).toEqual([]);
  });

  // In the middle of some 700 tokens, away from what every policy keeps; the log around it has a code of its own.
  const facts: readonly (readonly [fact: string, value: string, question: string])[] = [
    ["The locker at the ferry terminal opens with the number 7305918.", "7305918", "Which number opens the locker at the ferry terminal?"],
    ["The serial number of the spare lens is 2649073.", "2649073", "What is the serial number of the spare lens?"],
    ["The telephone number of the boat yard is 8150346.", "8150346", "What is the telephone number of the boat yard?"],
    ["The insurance of the rowing boat has the number 4072985.", "4072985", "Which number has the insurance of the rowing boat?"],
    ["The map of the reef was filed under 6318054.", "6318054", "Under which number was the map of the reef filed?"],
  ];

  test("keeps in 256 tokens the fact that is asked for, where snapkv loses it", async () => {
    const found = { full: 0, lookahead: 0, snapkv: 0 };
    for (const [index, [fact, value, question]] of facts.entries()) {
      const { id } = await app.openText(`log ${index}.txt`, `${storyOf(260)} ${fact} ${storyOf(260)}`);
      for (const policy of ["full", "lookahead", "snapkv"] as const) {
        const options = { budget: policy === "full" ? policy : 256, policy } as const;
        const { figures } = await app.ask(await app.converse([id]), question, options);
        expect(figures).toMatchObject({ policy, keptTokens: policy === "full" ? null : 256 });
        console.info(`${policy}, ${figures.promptTokens} tokens: ${figures.answer}`);
        if (figures.answer.includes(value)) found[policy] += 1;
      }
    }
    // All, all and one where it was measured (x86-64); other processors round otherwise, and a digit may differ. In 128 tokens the module
    // finds two: this log says the same over and over, and a model of 135M loses its thread (the module's card has more).
    expect(found.full).toBeGreaterThanOrEqual(facts.length - 1);
    expect(found.lookahead).toBeGreaterThanOrEqual(facts.length - 1);
    expect(found.snapkv).toBeLessThanOrEqual(2);
  });
});

describe("a model that no module was made for", () => {
  test("gets none, without a complaint, and computes as the one it is a copy of", async () => {
    const stranger = await ensureStranger();
    expect(await createModuleShelf([shipped]).findFor(await readHeader(stranger))).toEqual({ module: null, refused: [] });
    const answers: string[] = [];
    for (const model of [stranger, smol]) {
      const app = await startEngine({ contextLength: 512, model });
      const { id } = await app.openText("log.txt", storyOf(200));
      answers.push((await app.ask(await app.converse([id]), "What is the code of the harbour light?")).turn.answer);
      await app.dispose();
    }
    expect(answers[0]).toContain("481516");
    expect(answers[0]).toBe(answers[1]);
  });
});
