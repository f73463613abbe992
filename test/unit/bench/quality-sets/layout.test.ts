import { describe, expect, it } from "vitest";
import { cutMiddle, fitPrompt } from "../../../../bench/quality-sets/layout.ts";
import type { PromptText } from "../../../../bench/quality-sets/task.ts";
import { plainTranscript } from "../../../../electron/engine/conversation/template.ts";
import type { Model } from "../../../../electron/engine/llama/model.ts";

/** A token for each character, with the character's code as its number. */
const model: Pick<Model, "tokenise" | "firstToken"> = {
  firstToken: null,
  tokenise: async (text) => {
    const characters = Array.from(text);
    return {
      tokens: Uint32Array.from(characters, (character) => character.codePointAt(0) ?? 0),
      bytes: Uint32Array.from(characters, (character) => new TextEncoder().encode(character).length),
    };
  },
};
const writer = { model, render: plainTranscript };
const textOf = (tokens: Uint32Array) => String.fromCodePoint(...tokens);
const text: PromptText = { head: "Read: ", context: "abcdefghij", question: "\nWhy?", opening: " So" };
const lengthWith = async (context: string) =>
  (await fitPrompt(writer, { kind: "whole", text: { ...text, context } }, 10_000))?.prompt.tokens.length ?? 0;

describe("a prompt", () => {
  it("has its question where it begins, and its tail behind it", async () => {
    const fitted = await fitPrompt(writer, { kind: "whole", text }, 10_000);
    const { tokens = new Uint32Array(0), questionStart = 0, tailStart = 0 } = fitted?.prompt ?? {};
    expect(textOf(tokens)).toBe("You are a helpful assistant.\n\nUser: Read: abcdefghij\nWhy?\n\nAnswer: So");
    expect(textOf(tokens.slice(questionStart, tailStart))).toBe("\nWhy?");
    expect(textOf(tokens.slice(tailStart))).toBe("\n\nAnswer: So");
    expect(fitted?.cutTokens).toBe(0);
  });

  it("without a question has its tail behind the text", async () => {
    const fitted = await fitPrompt(writer, { kind: "whole", text: { ...text, question: "" } }, 10_000);
    const { tokens = new Uint32Array(0), questionStart, tailStart = 0 } = fitted?.prompt ?? {};
    expect(questionStart).toBe(tailStart);
    expect(textOf(tokens.slice(tailStart))).toBe("\n\nAnswer: So");
  });

  it("that is taken whole or not at all", async () => {
    const length = await lengthWith(text.context);
    expect(await fitPrompt(writer, { kind: "whole", text }, length)).not.toBeNull();
    expect(await fitPrompt(writer, { kind: "whole", text }, length - 1)).toBeNull();
  });

  it("loses the middle of its text, and says how much", async () => {
    const length = await lengthWith(text.context);
    const fitted = await fitPrompt(writer, { kind: "cut", text }, length - 3);
    expect(textOf(fitted?.prompt.tokens ?? new Uint32Array(0))).toContain("Read: abcdhij\nWhy?");
    expect(fitted?.cutTokens).toBe(3);
    expect((await fitPrompt(writer, { kind: "cut", text }, length))?.cutTokens).toBe(0);
    expect(await fitPrompt(writer, { kind: "cut", text }, length - text.context.length)).toBeNull();
  });

  it("grows as long as it may", async () => {
    const bare = await lengthWith("");
    const at = (count: number): PromptText => ({ ...text, context: "xy".repeat(count) });
    for (const [room, most, wanted] of [
      [0, 100, 0],
      [1, 100, 0],
      [2, 100, 1],
      [75, 100, 37],
      [200, 100, 100],
      [999, 100, 100],
      [999, 0, 0],
    ] as const) {
      const fitted = await fitPrompt(writer, { kind: "grown", most, at }, bare + room);
      expect(fitted?.prompt.tokens.length).toBe(bare + 2 * wanted);
    }
    expect(await fitPrompt(writer, { kind: "grown", most: 5, at }, bare - 1)).toBeNull();
  });
});

describe("a text cut in its middle", () => {
  it("keeps whole characters of its two ends", () => {
    const bytes = Uint32Array.of(1, 2, 3, 4, 1);
    expect(cutMiddle("aß厦😀b", bytes, 4)).toBe("aß😀b");
    expect(cutMiddle("aß厦😀b", bytes, 3)).toBe("aßb");
    expect(cutMiddle("aß厦😀b", bytes, 1)).toBe("a");
    expect(cutMiddle("aß厦😀b", bytes, 5)).toBe("aß厦😀b");
  });
});
