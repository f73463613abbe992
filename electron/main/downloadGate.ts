import { z } from "zod";
import { type CatalogueModel, type TestCatalogue, testCatalogueSchema } from "../contract/catalogue.ts";
import type { EngineCall } from "../contract/engine.ts";
import { LongsightError } from "../contract/errors.ts";
import { say } from "../contract/said.ts";

const requestSchema = z.object({ id: z.string() });

/**
 * Asks before the engine may connect to anything. The window cannot answer in the person's place; what they agreed to once holds until the
 * app ends, so that a download that was paused goes on.
 * @param ask shows the model with its address; true where the person agrees
 * @returns a check of each call, which throws LongsightError `cancelled` where a download is not wanted
 */
export function createDownloadGate(
  models: readonly CatalogueModel[],
  ask: (model: CatalogueModel) => Promise<boolean>,
): (call: EngineCall) => Promise<void> {
  const agreed = new Set<string>();
  return async ({ method, payload }) => {
    if (method !== "downloadModel") return;
    const request = requestSchema.safeParse(payload);
    const model = models.find(({ id }) => request.success && id === request.data.id);
    // What is not in the catalogue is the engine's to refuse: it connects to nothing for it.
    if (model === undefined || agreed.has(model.id)) return;
    if (!(await ask(model))) throw new LongsightError("cancelled", say("downloadDeclined", { model: model.name }));
    agreed.add(model.id);
  };
}

/** The catalogue of a developer's run under test, which may name a server of this machine; undefined everywhere else. */
export function testCatalogueOf(environment: NodeJS.ProcessEnv, underTest: boolean): TestCatalogue | undefined {
  const text = underTest ? environment["LONGSIGHT_TEST_CATALOGUE"] : undefined;
  return text === undefined ? undefined : testCatalogueSchema.parse(JSON.parse(text));
}
