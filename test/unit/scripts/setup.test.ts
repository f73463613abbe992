import { describe, expect, it } from "vitest";
import { checkNode, SetupError } from "../../../scripts/setup.mjs";

describe("checkNode", () => {
  it.each(["20.19.0", "20.20.2", "22.0.0", "24.1.0"])("accepts Node %s", (version) => {
    expect(() => checkNode(version)).not.toThrow();
  });

  it.each(["16.17.1", "18.20.0", "20.18.3"])("refuses Node %s and says what is needed", (version) => {
    expect(() => checkNode(version)).toThrow(SetupError);
    expect(() => checkNode(version)).toThrow(/20\.19/);
  });
});
