import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import "../../../../renderer/text/i18n.ts";
import { FiguresLine } from "../../../../renderer/answer/FiguresLine.tsx";
import { figures } from "../fakeEngine.ts";

const markupOf = (change: Partial<typeof figures>): string => renderToStaticMarkup(<FiguresLine figures={{ ...figures, ...change }} />);
/** All figures, as they stand behind the line. */
const rawWordsOf = (change: Partial<typeof figures>): string =>
  [...markupOf(change).matchAll(/<span class="figure-words">([^<]*)</g)].map(([, words]) => words).join(" · ");
const briefOf = (change: Partial<typeof figures>): string =>
  (/<p class="figures-brief">(.*?)<\/p>/.exec(markupOf(change))?.[1] ?? "")
    .replace(/<[^>]*>/g, "")
    .replaceAll("\u00a0", " ")
    .trim();
const wordsOf = (change: Partial<typeof figures>): string => rawWordsOf(change).replaceAll("\u00a0", " ");

const noAnswer = {
  answerTokens: 0,
  decodeTokensPerSecond: 0,
  stopReason: "cancelled",
  timings: { ...figures.timings, firstTokenMs: 0, decodeMs: 0 },
} as const;
const shrunk = {
  promptTokens: 6214,
  evaluatedTokens: 6214,
  budget: 256,
  keptTokens: 256,
  fullCacheBytes: 143_163_392,
  keptCacheBytes: 6_000_000,
  policy: "snapkv",
} as const;

test("in the line itself stand budget, mode and speed; without a budget the cache's size and the speed", () => {
  expect(briefOf(shrunk)).toBe("256 per head · SnapKV, each question · 1.0 tokens/s");
  expect(briefOf({ ...shrunk, mode: "once", scoredFor: "document", evictions: 1 })).toBe("256 per head · SnapKV, once · 1.0 tokens/s");
  expect(briefOf({})).toBe("cache 1 B · 1.0 tokens/s");
  expect(briefOf({ budget: 4096 })).toBe("everything kept (budget 4,096) · 1.0 tokens/s");
  expect(briefOf({ ...noAnswer, promptTokens: 4455, cachedTokens: 0, evaluatedTokens: 1024 })).toBe(
    "stopped after reading 1,024 of 4,455 tokens",
  );
  expect(briefOf({ ...noAnswer, fullCacheBytes: 0, keptCacheBytes: 0 })).toBe("430 prompt tokens");
});

test("all figures are behind a button, each with what it means", () => {
  expect(markupOf(shrunk)).toMatch(/<button aria-expanded="false" aria-controls="[^"]+"[^>]* aria-label="All figures of this answer"/);
  expect(markupOf(shrunk)).toMatch(/<ul id="[^"]+" class="plain-list figures-all" hidden="">/);
  expect(markupOf(shrunk)).toContain('<span class="figure-meaning">Wrote 2 tokens in');
});

test("an answer's figures are its speed, its prompt, its first word and its cache", () => {
  expect(wordsOf({})).toMatch(/^1\.0 tokens\/s · 430 prompt tokens · first word after .+ · cache 1 B$/);
});

test("an answer that was stopped before its first word has no speed and no first word", () => {
  expect(wordsOf(noAnswer)).toMatch(/^430 prompt tokens · cache /);
});

test("an answer that was stopped while the prompt was read tells how far that came", () => {
  const stopped = { ...noAnswer, promptTokens: 4455, cachedTokens: 0, evaluatedTokens: 1024, fullCacheBytes: 23e6, keptCacheBytes: 23e6 };
  expect(wordsOf(stopped)).toBe("stopped after reading 1,024 of 4,455 tokens · cache 23 MB");
  expect(wordsOf({ ...stopped, cachedTokens: 512 })).toContain("reading 1,536 of 4,455 tokens");
  expect(wordsOf({ ...stopped, budget: 9000 })).not.toContain("kept");
});

test("where nothing was read, nothing is said of the cache", () => {
  const unread = { ...noAnswer, promptTokens: 4455, evaluatedTokens: 0 };
  expect(wordsOf({ ...unread, fullCacheBytes: 23e6, keptCacheBytes: 23e6 })).toBe("stopped after reading 0 of 4,455 tokens");
  expect(wordsOf({ ...noAnswer, fullCacheBytes: 0, keptCacheBytes: 0 })).toBe("430 prompt tokens");
});

test("an answer whose cache was shrunk begins with what was read and what was kept of it", () => {
  expect(wordsOf(shrunk)).toMatch(
    /^read 6,214 tokens · kept 256 per head · cache 143 MB → 6\.0 MB · SnapKV · 1\.0 tokens\/s · first word after /,
  );
});

test("no line ends between a number and its unit, or at the arrow", () => {
  expect(rawWordsOf(shrunk)).toContain("cache\u00a0143\u00a0MB\u00a0→\u00a06.0\u00a0MB");
  expect(rawWordsOf(shrunk)).not.toMatch(/\d /);
  expect(rawWordsOf({})).not.toMatch(/\d /);
});

test("the two sizes of the cache are explained", () => {
  expect(markupOf(shrunk)).toContain(
    "allocated for keys and values as f16, measured: first the whole cache as the prompt was read, then the kept tokens with the room for the answer",
  );
});

test.each([
  ["lookahead", "(0.4 s to score them, 40 ms to keep them and free the rest)"],
  ["snapkv", "(scored while the prompt was read, 40 ms to keep them and free the rest)"],
  ["laq", "(0.4 s to score them, 40 ms to keep them and free the rest)"],
  ["h2o", "(scored while the prompt was read, 40 ms to keep them and free the rest)"],
  ["expected-attention", "(0.4 s to score them, 40 ms to keep them and free the rest)"],
  ["streamingllm", "(40 ms to keep them and free the rest)"],
  ["random", "(40 ms to keep them and free the rest)"],
] as const)("with %s only the stages that there were are told", (policy, words) => {
  const timings = { ...figures.timings, scoringMs: ["lookahead", "laq", "expected-attention"].includes(policy) ? 400 : 0, evictionMs: 40 };
  expect(markupOf({ ...shrunk, policy, timings }).replaceAll("\u00a0", " ")).toContain(words);
});

test("an answer with a budget that covered the prompt reads as one with the full cache, and says that all was kept", () => {
  expect(wordsOf({ budget: 4096 })).toBe(`${wordsOf({})} · everything kept (budget 4,096)`);
});

test("an answer that ended before anything was evicted does not claim that the budget covered the prompt", () => {
  expect(wordsOf({ budget: 64, policy: "snapkv", answerTokens: 1 })).toBe(wordsOf({}));
});

test("what was fetched from disk and what was read a second time is told where there is some", () => {
  expect(wordsOf(shrunk)).not.toMatch(/from disk|again/);
  const again = { ...shrunk, cachedTokens: 5120, restoredTokens: 5120, evaluatedTokens: 1094, rereadTokens: 1094 };
  expect(wordsOf(again)).toMatch(/^read 6,214 tokens · 5,120 from disk · 1,094 read again · kept 256 per head · /);
  const timings = { ...figures.timings, restoreMs: 300 };
  expect(markupOf({ ...again, timings }).replaceAll("\u00a0", " ")).toContain("fetched in 0.3 s instead of being read again");
  expect(markupOf(again)).toContain("0 were still in the cache, 5,120 came from disk, 1,094 were read");
  expect(wordsOf({ rereadTokens: 64 })).toMatch(/430 prompt tokens · 64 read again · first word/);
  // A prompt's last tokens are read in any case.
  expect(wordsOf({ rereadTokens: 63 })).not.toContain("again");
});

test("of an answer that was chosen for from the whole prompt nothing is said of its mode", () => {
  expect(wordsOf({ ...shrunk, scoredFor: "question", evictions: 1 })).toBe(wordsOf(shrunk));
});

test.each([
  ["once", "document", 1, 0, "chosen for the documents alone · evicted once while reading"],
  ["once", "earlier-question", 0, 0, "chosen for an earlier question"],
  ["streaming", "question", 12, 0, "chosen for this question · evicted 12 times while reading"],
  ["streaming", "question", 14, 2, "chosen for this question · evicted 12 times while reading · evicted 2 times while answering"],
  ["question", "question", 2, 1, "evicted once while answering"],
] as const)("in mode %s, kept for %s, with %d evictions (%d late) it says so", (mode, scoredFor, evictions, answerEvictions, words) => {
  const line = wordsOf({ ...shrunk, mode, scoredFor, evictions, answerEvictions });
  expect(line).toContain(`· SnapKV · ${words} · 1.0 tokens/s`);
});

test("a cache that never was larger has one size", () => {
  expect(wordsOf({ ...shrunk, mode: "streaming", fullCacheBytes: 14e6, keptCacheBytes: 14e6 })).toContain("· cache 14 MB · SnapKV");
});

test("read by parts, scoring is a stage of its own, and what an earlier answer did is not told as this one's", () => {
  const timings = { ...figures.timings, scoringMs: 400, evictionMs: 40 };
  const streamed = { ...shrunk, timings, mode: "streaming", scoredFor: "question", evictions: 3 } as const;
  expect(markupOf(streamed).replaceAll("\u00a0", " ")).toContain("(0.4 s to score them, 40 ms to keep them and free the rest)");
  expect(markupOf({ ...shrunk, mode: "once", scoredFor: "document" })).toContain("nothing was evicted for this one");
  expect(markupOf({ ...shrunk, scoresStored: true })).toContain("by the scores of an earlier answer to the same prompt");
});
