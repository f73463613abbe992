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

test("an answer whose cache was shrunk begins with what was read and what was kept of it", () => {
  const shrunk = { promptTokens: 6214, keptTokens: 256, fullCacheBytes: 143_163_392, keptCacheBytes: 6_000_000, policy: "snapkv" } as const;
  expect(wordsOf({ ...shrunk, budget: 256 })).toMatch(
    /^read 6,214 tokens · kept 256 per head · cache 143 MB → 6\.0 MB · SnapKV · 1\.0 tokens\/s · first word after /,
  );
});

test("an answer with a budget that nothing was evicted for reads as one with the full cache", () => {
  expect(wordsOf({ budget: 5000 })).toBe(wordsOf({}));
});
