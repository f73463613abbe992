import { describe, expect, it } from "vitest";
import { refuseModeContradiction } from "../../../../electron/engine/conversation/readingMode.ts";

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
