import { describe, expect, it } from "vitest";
import { isInstalled } from "../../../scripts/packages.mjs";

const wanted = {
  packages: {
    "": { version: "1.0.0" },
    "node_modules/a": { version: "1.2.3" },
    "node_modules/b": { version: "2.0.0" },
    "node_modules/other-platform": { version: "1.0.0", optional: true },
  },
};
const installed = (packages: Record<string, { version?: string }>) => ({ packages });

describe("isInstalled", () => {
  it("accepts what the lock file asks for, with or without packages for other platforms", () => {
    expect(isInstalled(wanted, installed({ "node_modules/a": { version: "1.2.3" }, "node_modules/b": { version: "2.0.0" } }))).toBe(true);
    const { "": _self, ...all } = wanted.packages;
    expect(isInstalled(wanted, installed(all))).toBe(true);
  });

  it.each([
    ["a missing package", { "node_modules/a": { version: "1.2.3" } }],
    ["another version", { "node_modules/a": { version: "1.2.4" }, "node_modules/b": { version: "2.0.0" } }],
    [
      "a package too many",
      { "node_modules/a": { version: "1.2.3" }, "node_modules/b": { version: "2.0.0" }, "node_modules/c": { version: "1.0.0" } },
    ],
  ])("refuses %s", (_what, packages) => {
    expect(isInstalled(wanted, installed(packages))).toBe(false);
  });

  it("refuses what npm wrote nothing about", () => {
    expect(isInstalled(wanted, null)).toBe(false);
    expect(isInstalled(null, installed({}))).toBe(false);
  });
});
