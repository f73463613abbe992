import { expect, test } from "vitest";
import { settingsSchema } from "../../../../electron/contract/shell.ts";
import { readLoad, typedLoad } from "../../../../renderer/model/loadForm.ts";
import { report } from "../fakeEngine.ts";

const settings = settingsSchema.parse({});
const form = typedLoad(settings, "f16");

test("what is remembered is typed, and read as it was", () => {
  const remembered = settingsSchema.parse({ contextLength: 4096, budget: 512, threads: 3, gpuLayers: 0 });
  const typed = typedLoad(remembered, "q8_0");
  expect(typed).toEqual({ context: "4096", kvType: "q8_0", budget: "512", threads: "3", gpuLayers: "0" });
  expect(readLoad(typed, report, settings)).toMatchObject({ contextLength: 4096, kvType: "q8_0", budget: 512, threads: 3, gpuLayers: 0 });
});

test("an empty field is automatic, or everything", () => {
  const read = readLoad(form, report, settings);
  expect(read).toMatchObject({ contextLength: null, budget: "full", threads: null, gpuLayers: null });
  expect([...read.faults]).toEqual([]);
});

test.each([
  [{ context: "255" }, "context"],
  [{ context: "99999999999" }, "context"],
  [{ context: "8193" }, "contextTooLong"],
  [{ budget: "0" }, "budget"],
  [{ budget: "31" }, "budget"],
  [{ threads: "0" }, "threads"],
  [{ threads: "513" }, "threads"],
  [{ gpuLayers: "513" }, "gpuLayers"],
] as const)("%j is a fault of its field alone", (change, fault) => {
  expect([...readLoad({ ...form, ...change }, report, settings).faults]).toEqual([fault]);
});

test("the least budget is the policy's; a length is too long only for a model that is chosen", () => {
  expect(readLoad({ ...form, budget: "32" }, report, { policy: "lookahead" }).faults.size).toBe(0);
  expect([...readLoad({ ...form, budget: "32" }, report, { policy: "snapkv" }).faults]).toEqual(["budget"]);
  expect(readLoad({ ...form, context: "8193" }, null, settings).faults.size).toBe(0);
});
