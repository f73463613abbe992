import { z } from "zod";
import { loadedModelSchema, modelReportSchema } from "../../electron/contract/model.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

const resultSchema = z.object({ event: z.literal("result"), result: z.unknown() });

// Electron's allocator ends a process on one block above 1 GiB (native/patches/memory).
test("a cache of more than 1 GiB works inside the utility process", async ({ start, userData }) => {
  test.setTimeout(150_000);
  await writeSettings(userData);
  const longsight = await start();
  // The window loads its own model first.
  await expect(longsight.page.getByRole("banner").getByText("ready")).toBeVisible({ timeout: 60_000 });
  const pid = await longsight.enginePid();
  const call = async (...[method, payload]: Parameters<typeof longsight.callEngine>) => {
    const last = (await longsight.callEngine(method, payload, 100_000)).at(-1);
    if (last?.event === "error") throw new Error(`${method}: ${last.problem.message} ${last.problem.detail ?? ""}`);
    return resultSchema.parse(last).result;
  };

  const models = z.array(modelReportSchema).parse(await call("listModels", {}));
  const embedded = models.find((model) => model.embedded);
  expect(embedded).toBeDefined();
  const request = { model: embedded?.id ?? "", contextLength: 65_536, kvType: "f16", threads: null };
  const loaded = loadedModelSchema.parse(await call("loadModel", request));
  expect(loaded.contextLength).toBe(65_536);
  expect(loaded.cacheBytes).toBeGreaterThan(2 ** 30);

  const { id } = z.object({ id: z.string() }).parse(await call("createConversation", { documents: [] }));
  const answer = await call("ask", {
    conversationId: id,
    question: "Say hello.",
    replaceTurnId: null,
    sampling: { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1, maxTokens: 4, stop: [] },
    budget: "full",
    policy: "full",
    mode: "question",
  });
  expect(answer).toMatchObject({ figures: { contextLength: 65_536, fullCacheBytes: expect.any(Number) } });
  expect(await longsight.enginePid()).toBe(pid);
});
