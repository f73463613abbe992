import { describe, expect, it } from "vitest";
import type { PromptDocument } from "../../../../electron/engine/conversation/prompt.ts";
import { citationsOf } from "../../../../electron/engine/export/citations.ts";

function documentOf(letter: string, name: string, texts: readonly string[]): PromptDocument {
  const documentId = letter.repeat(64);
  return { documentId, name, pageCount: texts.length, pages: texts.map((text, index) => ({ documentId, page: index + 1, text })) };
}

const manual = documentOf("a", "manual.pdf", [
  "Welcome. This manual explains the device and how it is used every day.",
  "4.2 Limits. The device may draw at most 3 A while charging,\nand five amperes in short bursts.",
  "The warranty ends after twenty-four months. Damage by water is not covered by it.",
]);
const cited = (answer: string, documents: readonly PromptDocument[] = [manual]) =>
  citationsOf(answer, documents).map(({ start, end, pages }) => [answer.slice(start, end), pages.map(({ page }) => page)]);

describe("pages that an answer shares its words with", () => {
  it("are named for each sentence that has them, and for no other", () => {
    const answer =
      "While charging, the device may draw at most 3 A. That is my favourite number of all! The WARRANTY ends after twenty-four months.";
    expect(cited(answer)).toEqual([
      ["While charging, the device may draw at most 3 A.", [2]],
      ["The WARRANTY ends after twenty-four months.", [3]],
    ]);
  });

  it("are all that say it alike, and of which document", () => {
    const other = documentOf("b", "notes.txt", ["Remember: damage by water is not covered."]);
    const [found] = citationsOf("Damage by water is not covered.", [manual, other]);
    expect(found?.pages.map(({ name, page, pageCount }) => [name, page, pageCount])).toEqual([
      ["manual.pdf", 3, 3],
      ["notes.txt", 1, 1],
    ]);
  });

  it("are found without blanks between words", () => {
    const chinese = documentOf("c", "说明.pdf", ["设备的保修期为二十四个月。", "充电时电流不得超过三安培。"]);
    expect(cited("充电时电流不得超过三安培。", [chinese])).toEqual([["充电时电流不得超过三安培。", [2]]]);
  });

  it("are found in a long answer of many lines in little time", () => {
    const answer = `${"Words of its own, and many of them. ".repeat(4000)}\n\n- At most 3 A while charging the device.\n`;
    const started = Date.now();
    expect(cited(answer)).toEqual([["- At most 3 A while charging the device.", [2]]]);
    expect(Date.now() - started).toBeLessThan(5000);
  });

  it("are none for an empty answer, for two words, and without documents", () => {
    expect(cited("")).toEqual([]);
    expect(cited("The device.")).toEqual([]);
    expect(cited("The device may draw at most 3 A.", [])).toEqual([]);
  });
});
