import { describe, expect, it } from "vitest";
import { titleOf } from "../../../../electron/engine/conversation/conversationTitle.ts";

describe("a conversation's title", () => {
  it("is the first line of its first question", () => {
    expect(titleOf("  What is it?  \nAnd more")).toBe("What is it?");
    expect(titleOf("\r\n\r\nWhat?\r\nMore")).toBe("What?");
    expect(titleOf("x".repeat(60))).toBe("x".repeat(60));
    expect(titleOf("")).toBe("");
  });

  it("is cut at a word", () => {
    const title = titleOf("Which of the committees that are named in the second chapter met in the spring of 1998?");
    expect(title).toBe("Which of the committees that are named in the second…");
  });

  it("is cut somewhere where there is no word's end to cut at", () => {
    expect(titleOf("長".repeat(100))).toBe(`${"長".repeat(60)}…`);
    expect(titleOf(`Short ${"x".repeat(100)}`)).toBe(`Short ${"x".repeat(54)}…`);
  });

  it("never cuts a character in half", () => {
    for (let before = 0; before < 4; before++) {
      const title = titleOf("a".repeat(before) + "🙂".repeat(80));
      expect(new TextDecoder().decode(new TextEncoder().encode(title))).toBe(title);
      expect(title.endsWith("🙂…")).toBe(true);
    }
  });
});
