import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { readRawHeader } from "../../../electron/engine/llama/ggufHeader.ts";
import { type LookaheadModule, readLookaheadModule } from "../../../electron/engine/lookahead/module.ts";

const folder = fileURLToPath(new URL("../../../assets/lookahead", import.meta.url));
const models = readdirSync(folder).flatMap((name) => (name.endsWith(".gguf") ? [name.slice(0, -".gguf".length)] : []));

it("a lookahead module comes with the embedded model", () => {
  expect(models).toContain("SmolLM2-135M-Instruct");
});

describe.each(models)("the lookahead module of %s", (model) => {
  const path = join(folder, `${model}.gguf`);
  let module: LookaheadModule;
  beforeAll(async () => {
    module = await readLookaheadModule(path);
  });

  it("is read by the engine, and says what it has learned from and for which model", () => {
    expect(module.base.name.replaceAll(" ", "-")).toBe(model);
    expect(module.name).toContain(module.base.name);
    expect(module.trained).toBe(true);
    expect(module.training.steps).toBeGreaterThan(0);
    expect(module.training.length).toBeGreaterThan(1000);
    expect(module.training.data).not.toBe("none");
  });

  it("has a LoRA of 16 bits that has learned in every layer, and is small", async () => {
    const { tensors, dataStart } = await readRawHeader(path);
    const file = await readFile(path);
    expect(file.length).toBeLessThan(25e6);
    const lora = tensors.filter(({ name }) => name.includes(".lora_"));
    expect(lora).toHaveLength(2 * module.linears.length);
    expect([...new Set(lora.map(({ type }) => type))]).toEqual([1]);
    // The second factor begins as zeros. No score hangs on the last layer's values.
    const lastValues = `blk.${module.base.layers - 1}.attn_v.weight.lora_b`;
    for (const { name, offset, dimensions } of lora.filter((tensor) => tensor.name.endsWith(".lora_b") && tensor.name !== lastValues)) {
      const start = dataStart + offset;
      const bytes = 2 * dimensions.reduce((product, size) => product * size, 1);
      expect(
        file.subarray(start, start + bytes).some((byte) => byte !== 0),
        name,
      ).toBe(true);
    }
  });

  it("has a card that says what went in, what it cost, what it gives and what it does not", async () => {
    const card = await readFile(join(folder, `${model}.md`), "utf8");
    const sections = [...card.matchAll(/^## (.+)\n+([^#]+)/gm)].map(([, heading = "", text = ""]) => [heading, text.trim()] as const);
    expect(sections.map(([heading]) => heading)).toEqual(["Base", "Data", "Licences", "Training", "Figures", "Limits"]);
    for (const [heading, text] of sections) expect(text.length, heading).toBeGreaterThan(100);
    const rows = new Map([...card.matchAll(/^\| ([^|]+?) \| ([^|]+?) \|$/gm)].map(([, name = "", words = ""]) => [name, words] as const));
    expect(rows.get("steps")).toMatch(new RegExp(`^${module.training.steps.toLocaleString("en")}\\b`));
    expect(rows.get("longest prompt")).toContain(`${module.training.length.toLocaleString("en")} tokens`);
    expect(rows.get("date")).toBe(module.training.date);
    for (const row of ["time", "hardware"]) expect(rows.get(row)).toMatch(/\d/);
  });
});
