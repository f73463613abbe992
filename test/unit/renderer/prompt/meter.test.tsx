import { describe, expect, test } from "vitest";
import { TokenMeter } from "../../../../renderer/answer/TokenMeter.tsx";
import { createDesk, measureOf } from "../fakeEngine.ts";
import { show } from "../show.tsx";

const measure = measureOf({
  documentTokens: 1544,
  questionTokens: 3,
  otherTokens: 1267,
  promptTokens: 2814,
  answerRoom: 512,
  contextLength: 8192,
});

function meter(question: string | null): string {
  const { session } = createDesk();
  const measured = question === null ? null : { key: "k", question, measure };
  const html = show(session, <TokenMeter measured={measured} unmeasured="No text to count" contextLength={8192} measuring={false} />);
  session.dispose();
  return html.replace(/<[^>]*>/g, "");
}

describe("the token meter", () => {
  test("names the whole against the context, and all its parts", () => {
    expect(meter("why?")).toBe(
      "3,326 of 8,192 tokens: 1,544 document + 3 question + 1,267 conversation and instructions + 512 room for the answer",
    );
  });

  test("counts no question where none is typed", () => {
    expect(meter(" ")).toBe("3,326 of 8,192 tokens: 1,544 document + 1,270 conversation and instructions + 512 room for the answer");
  });

  test("says why nothing is counted", () => {
    expect(meter(null)).toBe("No text to count · 8,192 tokens of context");
  });
});
