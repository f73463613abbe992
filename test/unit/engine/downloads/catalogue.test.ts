import { describe, expect, it } from "vitest";
import { catalogueModelSchema } from "../../../../electron/contract/catalogue.ts";
import { openCatalogue } from "../../../../electron/engine/downloads/catalogue.ts";

const catalogue = openCatalogue();

describe("the catalogue that comes with Longsight", () => {
  it("names each model once, with an address that it allows itself", () => {
    expect(catalogue.models.length).toBeGreaterThan(0);
    for (const key of ["id", "file", "sha256", "address"] as const) {
      expect(new Set(catalogue.models.map((model) => model[key])).size).toBe(catalogue.models.length);
    }
    for (const model of catalogue.models) {
      expect(catalogue.allows(model, new URL(model.address)), model.id).toBe(true);
      expect(model.licence).toMatch(/^(Apache-2\.0|MIT)$/);
    }
  });

  it.each([
    ["http", "http://huggingface.co/x"],
    ["another host", "https://huggingface.co.evil.example/x"],
    ["a host that only ends alike", "https://nothuggingface.co/x"],
    ["a port", "https://huggingface.co:444/x"],
    ["a name and password", "https://huggingface.co:pass@huggingface.co/x"],
    ["this machine", "http://127.0.0.1:8080/x"],
    ["a file", "file:///huggingface.co/x"],
  ])("allows no %s", (_what, address) => {
    for (const model of catalogue.models) expect(catalogue.allows(model, new URL(address))).toBe(false);
  });

  it("allows the servers below those of a model", () => {
    for (const model of catalogue.models) expect(catalogue.allows(model, new URL("https://cas-bridge.xethub.hf.co/x?y=1"))).toBe(true);
  });
});

it("keeps nothing under a name that leads out of its folder", () => {
  const [model] = catalogue.models;
  for (const file of ["../x.gguf", "/x.gguf", "a/x.gguf", "a\\x.gguf", ".x.gguf", "x.exe", "x.gguf\u0000"]) {
    expect(catalogueModelSchema.safeParse({ ...model, file }).success, file).toBe(false);
  }
});
