import { describe, expect, it } from "vitest";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import { choosingPolicySchema } from "../../../../electron/contract/policies.ts";
import { findDraftModel, refuseDraftContradiction, refuseDraftTooLarge } from "../../../../electron/engine/conversation/draftModel.ts";
import type { GgufHeader } from "../../../../electron/engine/llama/gguf.ts";
import type { ModelFinder } from "../../../../electron/engine/models.ts";

const headerOf = (name: string, fileBytes: number): GgufHeader => ({
  path: `/models/${name}.gguf`,
  fileBytes,
  name,
  architecture: "llama",
  trainedContextLength: 2048,
  layers: 2,
  attentionHeads: 2,
  kvHeads: 1,
  embeddingWidth: 8,
  kvBytesPerToken: { f16: 1000, q8_0: 531, q4_0: 281 },
  headBytes: null,
  slidingWindow: 0,
  longRope: false,
  quantisation: "Q8_0",
  chatTemplate: null,
});
const models = [headerOf("large", 2_000_000), headerOf("target", 1_000_000), headerOf("equal", 1_000_000), headerOf("small", 999_999)];
const [, target = headerOf("target", 1)] = models;
const shelf: ModelFinder = {
  async find(model) {
    const header = models.find(({ name, path }) => name === model || path === model);
    if (header === undefined) throw new LongsightError("model-missing", `There is no model “${model}”.`);
    return { id: header.name, embedded: false, origin: "installed", header };
  },
};
const find = (draftModel: string | null, policy: "speckv" | "laq" = "speckv") => findDraftModel(shelf, { policy, draftModel }, target);

describe("a draft model", () => {
  it("is found by id or path, where it is smaller than the model that answers", async () => {
    expect((await find("small"))?.name).toBe("small");
    expect((await find("/models/small.gguf"))?.name).toBe("small");
  });

  it("is none for a policy that drafts by itself or not at all", async () => {
    for (const policy of choosingPolicySchema.exclude(["speckv"]).options) {
      expect(await findDraftModel(shelf, { policy, draftModel: null }, target)).toBeNull();
      expect(() => refuseDraftContradiction({ policy, draftModel: "small" })).toThrow(new RegExp(`“${policy}” uses no draft model`));
    }
  });

  it.each([
    [null, "usage", /needs a draft model.*--draft-model.*laq/],
    ["nowhere", "model-missing", /nowhere/],
    ["target", "usage", /“target” answers the question itself.*laq/],
    ["equal", "usage", /“equal” is no smaller than “target”/],
    ["large", "usage", /“large” is no smaller than “target”/],
  ])("%s is refused with a sentence", async (draftModel, code, message) => {
    await expect(find(draftModel)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it("that does not fit beside what is loaded is refused with the numbers", async () => {
    await refuseDraftTooLarge(headerOf("tiny", 1), 100, "f16", -(2 ** 40));
    await expect(refuseDraftTooLarge(headerOf("small", 999_999), 100, "f16", 2 ** 60)).rejects.toMatchObject({
      code: "model-memory",
      message: expect.stringMatching(/“small” was not loaded.*needs about .* context of 256 tokens.*another policy/),
    });
  });
});
