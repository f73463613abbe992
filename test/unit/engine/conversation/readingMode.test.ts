import { describe, expect, it } from "vitest";
import { refuseModeContradiction, startedOver } from "../../../../electron/engine/conversation/readingMode.ts";

const asked = { budget: 256, policy: "snapkv", share: "score" } as const;

describe("a mode that reads by parts", () => {
  it.each(["once", "streaming"] as const)("%s says what it cannot do, and what to do about it", (mode) => {
    refuseModeContradiction({ ...asked, mode });
    const refusals = [
      [{ budget: "full" }, /needs a budget/],
      [{ policy: "h2o" }, /scores a whole prompt.*Choose another policy/],
      [{ policy: "expected-attention" }, /“expected-attention” scores a whole prompt.*Choose another policy/],
      [{ share: "even" }, /share “even”.*Choose the share “score”, or the mode “question”/],
      [{ share: "length" }, /share “length”/],
    ] as const;
    for (const [change, message] of refusals) expect(() => refuseModeContradiction({ ...asked, mode, ...change })).toThrow(message);
  });

  it("is not the mode question, which takes all of these", () => {
    refuseModeContradiction({ mode: "question", budget: "full", policy: "full", share: "even" });
    refuseModeContradiction({ ...asked, mode: "question", policy: "laq", share: "length" });
  });
});

describe("documents that are chosen from anew in mode once", () => {
  const choice = { model: "smollm2", policy: "snapkv", budget: 96, documentTokens: 700 } as const;
  const before = { ...choice, mode: "once", scoredFor: "document", evictions: 1 } as const;
  const now = { ...before, evictions: 1 };

  it("are told with the reason that is known", () => {
    expect(startedOver(before, { ...now, model: "another" })).toBe("model");
    expect(startedOver(before, { ...now, policy: "nacl" })).toBe("choice");
    expect(startedOver(before, { ...now, budget: 97 })).toBe("choice");
    expect(startedOver(before, { ...now, documentTokens: 701 })).toBe("documents");
    expect(startedOver(before, now)).toBe("lost");
    expect(startedOver({ ...before, scoredFor: "earlier-question" }, now)).toBe("lost");
  });

  it("are no news the first time, in another mode, or where the cache went on", () => {
    expect(startedOver(null, now)).toBeNull();
    expect(startedOver({ ...before, mode: "question", scoredFor: "question" }, now)).toBeNull();
    // The budget held the whole prompt then, so that nothing had been chosen.
    expect(startedOver({ ...before, scoredFor: null }, now)).toBeNull();
    expect(startedOver(before, { ...now, mode: "streaming", scoredFor: "question" })).toBeNull();
    expect(startedOver(before, { ...now, evictions: 0 })).toBeNull();
    expect(startedOver(before, { ...now, scoredFor: "question" })).toBeNull();
  });
});
