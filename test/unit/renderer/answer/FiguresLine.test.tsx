import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import "../../../../renderer/text/i18n.ts";
import { FiguresLine } from "../../../../renderer/answer/FiguresLine.tsx";
import { figures } from "../fakeEngine.ts";

const wordsOf = (change: Partial<typeof figures>): string =>
  renderToStaticMarkup(<FiguresLine figures={{ ...figures, ...change }} />).replace(/<[^>]*>/g, "");

test("an answer's figures are its speed, its prompt, its first word and its cache", () => {
  expect(wordsOf({})).toMatch(/^1\.0 tokens\/s · 430 prompt tokens · first word after .+ · cache /);
});

test("an answer that was stopped before its first word has no speed and no first word", () => {
  const timings = { ...figures.timings, firstTokenMs: 0, decodeMs: 0 };
  expect(wordsOf({ answerTokens: 0, decodeTokensPerSecond: 0, stopReason: "cancelled", timings })).toMatch(/^430 prompt tokens · cache /);
});
