import { describe, expect, it } from "vitest";
import { isAppAddress, isLocalAddress, webAddress } from "../../../electron/main/addresses.ts";

describe("addresses", () => {
  it.each([
    ["longsight://app/", true],
    ["longsight://app/index.html#a?b", true],
    ["longsight://app.example.com/", false],
    ["longsight://evil/?next=longsight://app/", false],
    ["longsight://user@app/", false],
    ["https://app/", false],
    ["https://example.com/longsight://app/", false],
    ["file:///index.html", false],
    ["javascript:alert(1)", false],
    ["", false],
  ])("%s is ours: %s", (address, ours) => {
    expect(isAppAddress(address)).toBe(ours);
  });

  it.each([
    ["longsight://app/page.js", true],
    ["blob:longsight://app/1", true],
    ["data:text/plain,hello", true],
    ["http://127.0.0.1/", false],
    ["https://example.com/", false],
    ["ws://example.com/", false],
    ["wss://example.com/", false],
    ["ftp://example.com/", false],
    ["file:///etc/hostname", false],
    ["not an address", false],
  ])("%s may be loaded: %s", (address, allowed) => {
    expect(isLocalAddress(address)).toBe(allowed);
  });

  it("shows https addresses with their host in ASCII, and nothing else", () => {
    expect([
      webAddress("https://example.com/a b?q=ü"),
      webAddress("https://еxample.com/"),
      webAddress("http://example.com/"),
      webAddress("https://example.com@evil.example/"),
      webAddress("file:///etc/hostname"),
      webAddress("javascript:alert(1)"),
      webAddress("example.com"),
    ]).toEqual(["https://example.com/a%20b?q=%C3%BC", "https://xn--xample-2of.com/", null, null, null, null, null]);
  });
});
