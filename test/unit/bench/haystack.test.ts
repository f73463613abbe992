import { describe, expect, it } from "vitest";
import { cutToTokens, placeNeedles, plainStory } from "../../../bench/needles/haystack.ts";
import { moveQuestion } from "../../../bench/needles/layout.ts";

const needleAt = (depth: number, sentence: string) => ({ key: "", value: "", depth, sentence });
const sentences = (count: number) => Array.from({ length: count }, (_, index) => `Line ${index} is here.`).join(" ");

describe("haystack", () => {
  it("is a story without its typesetting", () => {
    expect(plainStory("\n\n THE RIVER\n \n  By Don\nWilcox \n \n\n It shone,\n far  off.\n")).toBe(
      "THE RIVER\nBy Don Wilcox\nIt shone, far off.",
    );
  });

  it("is cut at a word's end within its tokens", () => {
    const text = "Ein Fluß, größer als alle.";
    // "Ein", " Flu", "ß", ",", " grö", "ßer", " als", …
    const bytes = Uint32Array.of(3, 4, 2, 1, 5, 4, 4, 6);
    expect(cutToTokens(text, bytes, 4)).toBe("Ein Fluß,".slice(0, 3));
    expect(cutToTokens(text, bytes, 6)).toBe("Ein Fluß,");
    expect(cutToTokens(text, bytes, 7)).toBe("Ein Fluß, größer");
    expect(cutToTokens(text, bytes, 8)).toBe(text);
    expect(cutToTokens(text, bytes, 99)).toBe(text);
    expect(cutToTokens(text, bytes, 0)).toBe("");
  });

  it("has each needle between two sentences, near its depth", () => {
    const text = sentences(100);
    for (const depth of [0.1, 0.37, 0.5, 0.9]) {
      const whole = placeNeedles(text, [needleAt(depth, "Here it lies.")]);
      expect(whole).toMatch(/(^|\. )Here it lies\. Line/);
      expect(Math.abs(whole.indexOf("Here it lies.") / text.length - depth)).toBeLessThan(0.01);
      expect(whole.replace("Here it lies. ", "")).toBe(text);
    }
  });

  it("takes several needles in any order", () => {
    const text = sentences(40);
    const whole = placeNeedles(text, [needleAt(0.8, "Fourth."), needleAt(0.2, "First."), needleAt(0.2, "Also there.")]);
    expect(whole.indexOf("First.")).toBeLessThan(whole.indexOf("Fourth."));
    expect(whole.replace("Fourth. ", "").replace("First. ", "").replace("Also there. ", "")).toBe(text);
  });

  it("puts a needle before a text without a sentence's end", () => {
    expect(placeNeedles("no end", [needleAt(0.9, "Here.")])).toBe("Here. no end");
    expect(placeNeedles("", [needleAt(0.5, "Here.")])).toBe("Here. ");
  });
});

describe("a question before the text", () => {
  const control = (text: string) => ({ kind: "control", text }) as const;
  const page = (number: number) => ({ kind: "page", text: `page ${number}\n\n`, documentId: "d", page: number }) as const;
  const [system, document, question] = [
    { kind: "instruction", text: "system" } as const,
    { kind: "instruction", text: "Document “story”:\n\n" } as const,
    { kind: "question", text: "Question: where?" } as const,
  ];

  it("comes before the document's name, the rest as it was", () => {
    const parts = [control("<s>"), system, control("<u>"), document, page(1), page(2), question, control("<a>")];
    const asked = { kind: "question", text: "Question: where?\n\n" };
    expect(moveQuestion(parts)).toEqual([control("<s>"), system, control("<u>"), asked, document, page(1), page(2), control("<a>")]);
  });

  it("needs a question and a document", () => {
    expect(() => moveQuestion([control("<s>"), document, page(1)])).toThrow(RangeError);
    expect(() => moveQuestion([control("<s>"), question])).toThrow(RangeError);
  });
});
