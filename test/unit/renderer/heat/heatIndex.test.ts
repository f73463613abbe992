import { describe, expect, it } from "vitest";
import { topPassages } from "../../../../electron/contract/topPassages.ts";
import { indexHeat, isScored, pageKey, rankOf, rawShares, shadesOf } from "../../../../renderer/heat/heatIndex.ts";
import { inSlices } from "../../../../renderer/heat/inSlices.ts";
import { looksOf } from "../../../../renderer/heat/looks.ts";
import { rowsOf } from "../../../../renderer/heat/Minimap.tsx";
import { heatmapOf, idOf } from "../../support/heatmap.ts";

const words = Array.from({ length: 100 }, (_, index) => ` w${index}`);
const scores = words.map((_, index) => (index + 1) / 1000);
const prompt = heatmapOf(
  [
    { kind: "control", pieces: ["<user>"] },
    { kind: "page", document: "a", page: 1, pieces: words.slice(0, 50) },
    { kind: "page", document: "a", page: 2, pieces: words.slice(50) },
    { kind: "question", pieces: ["Why", "?"] },
  ],
  { scores: (token) => [9, ...scores, 9, 9][token] ?? 0 },
);
const index = async (granularity: Parameters<typeof indexHeat>[1] = "word") => {
  const made = await inSlices(indexHeat(prompt, granularity), new AbortController().signal);
  if (made === null) throw new Error("stopped");
  return made;
};
const unit = (score: number, always = false) => ({ score, always });

describe("indexHeat", () => {
  it("ranks the pages' units alone, the highest first and equals alike", async () => {
    const made = await index();
    expect([...made.pages.keys()]).toEqual([pageKey(idOf("a"), 1), pageKey(idOf("a"), 2)]);
    expect(made.ranked).toHaveLength(100);
    expect(rankOf(made, unit(0.1))).toBe(1);
    expect(rankOf(made, unit(0.001))).toBe(100);
    expect(rankOf(made, unit(0.05, true))).toBeNull();
    expect(rankOf({ ranked: Float32Array.of(1, 2, 2, 3) }, unit(2))).toBe(2);
    expect(isScored(made)).toBe(true);
    expect(isScored({ ranked: new Float32Array(3) })).toBe(false);
  });

  it("shades by rank or by the share of the highest", async () => {
    const made = await index();
    const byRank = shadesOf(made, "rank");
    expect([1, 2, 5, 10, 20, 40, 41].map((rank) => byRank(unit((101 - rank) / 1000)))).toEqual([6, 5, 4, 3, 2, 1, 0]);
    const raw = shadesOf(made, "raw");
    expect(rawShares.map((share) => raw(unit(share * 0.1 + 1e-6)))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(raw(unit(0))).toBe(0);
    expect(byRank(unit(0.1, true))).toBe(0);
  });

  it("stops where it is told to", async () => {
    const stop = new AbortController();
    stop.abort();
    expect(await inSlices(indexHeat(prompt, "word"), stop.signal)).toBeNull();
  });
});

describe("looksOf", () => {
  it("underlines what is kept, and in kept / evicted fades what most heads evict", async () => {
    const made = await index();
    const kept = new Uint16Array(prompt.promptTokens);
    kept.set([4, 2, 1, 0], 1);
    const units = made.pages.get(pageKey(idOf("a"), 1))?.units ?? [];
    const shown = looksOf(made, { view: "kept", scale: "rank" }, { kept, layerHeads: 4 });
    expect(units.slice(0, 4).map(shown)).toMatchObject([
      { shade: 0, level: 3, faded: false },
      { level: 2, faded: false },
      { level: 1, faded: true },
      { level: 0, faded: true },
    ]);
    const important = looksOf(made, { view: "importance", scale: "rank" }, { kept, layerHeads: 4 });
    expect(important(units[0] ?? unit0)).toMatchObject({ shade: 0, level: 3, faded: false });
  });
});

describe("rowsOf", () => {
  it("puts each page's darkest shade where the page is", async () => {
    const made = await index();
    const lookOf = looksOf(made, { view: "importance", scale: "rank" }, { kept: new Uint16Array(prompt.promptTokens), layerHeads: 4 });
    const places = [
      { top: 0, bottom: 0.5 },
      { top: 0.5, bottom: 1 },
    ];
    const rows = rowsOf(made, lookOf, { documentId: idOf("a"), places, height: 10, keeps: false });
    expect(rows[0]).toBe(0);
    expect(rows[9]).toBe(6);
    expect(rowsOf(made, lookOf, { documentId: idOf("b"), places, height: 10, keeps: false })).toEqual(new Uint8Array(10));
  });

  it("tells of importance alike whatever is kept, and of what is kept where that is shown", async () => {
    const made = await index();
    const places = [
      { top: 0, bottom: 0.5 },
      { top: 0.5, bottom: 1 },
    ];
    const rowsAt = (view: "importance" | "kept", kept: number) => {
      const lookOf = looksOf(made, { view, scale: "rank" }, { kept: new Uint16Array(prompt.promptTokens).fill(kept), layerHeads: 4 });
      return rowsOf(made, lookOf, { documentId: idOf("a"), places, height: 10, keeps: view === "kept" });
    };
    expect(rowsAt("importance", 4)).toEqual(rowsAt("importance", 0));
    expect(rowsAt("kept", 4)).not.toEqual(rowsAt("kept", 0));
    expect(Math.max(...rowsAt("kept", 0))).toBe(0);
  });
});

describe("topPassages", () => {
  it("names the best sentences once each, with their places", async () => {
    const pieces = ["Low sentence here.", " The best sentence.", " Middle one here.", " The best sentence.", " Eh."];
    const told = heatmapOf([{ kind: "page", document: "a", page: 3, pieces }], { scores: (token) => [0.1, 0.9, 0.5, 0.8, 1][token] ?? 0 });
    const made = await inSlices(indexHeat(told, "sentence"), new AbortController().signal);
    const top = topPassages(made?.pages.values() ?? [], 2);
    expect(top.map(({ text, page }) => [text, page])).toEqual([
      ["The best sentence.", 3],
      ["Middle one here.", 3],
    ]);
    expect(pieces.join("").slice(top[0]?.start, top[0]?.end)).toBe(" The best sentence.");
  });
});

const unit0 = { start: 0, end: 0, token: 0, tokens: 1, score: 0, always: false };
