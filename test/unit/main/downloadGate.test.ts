import { describe, expect, it, vi } from "vitest";
import type { EngineCall } from "../../../electron/contract/engine.ts";
import { openCatalogue } from "../../../electron/engine/downloads/catalogue.ts";
import { createDownloadGate, testCatalogueOf } from "../../../electron/main/downloadGate.ts";

const { models } = openCatalogue();
const [model] = models;
const call = (id: unknown): EngineCall => ({ method: "downloadModel", payload: { id } });

describe("a download", () => {
  it("is asked about, with its address, before the engine hears of it; once is enough", async () => {
    const ask = vi.fn(async () => true);
    const gate = createDownloadGate(models, ask);
    await gate(call(model?.id));
    expect(ask).toHaveBeenCalledWith(model);
    await gate(call(model?.id));
    expect(ask).toHaveBeenCalledTimes(1);
    await gate(call(models[1]?.id));
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it("that is not wanted goes no further, and is asked about again", async () => {
    const ask = vi.fn(async () => false);
    const gate = createDownloadGate(models, ask);
    await expect(gate(call(model?.id))).rejects.toMatchObject({ code: "cancelled" });
    await expect(gate(call(model?.id))).rejects.toMatchObject({ code: "cancelled" });
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it("of what is in no catalogue, and every other call, asks nothing", async () => {
    const ask = vi.fn(async () => false);
    const gate = createDownloadGate(models, ask);
    for (const id of ["unknown", 5, undefined]) await gate(call(id));
    await gate({ method: "ask", payload: { id: model?.id } });
    expect(ask).not.toHaveBeenCalled();
  });
});

it("only a run under test has a catalogue of its own", () => {
  const text = JSON.stringify({ models, origin: "http://127.0.0.1:1" });
  expect(testCatalogueOf({ LONGSIGHT_TEST_CATALOGUE: text }, true)).toMatchObject({ origin: "http://127.0.0.1:1" });
  expect(testCatalogueOf({ LONGSIGHT_TEST_CATALOGUE: text }, false)).toBeUndefined();
  expect(testCatalogueOf({}, true)).toBeUndefined();
});
