import { describe, expect, it } from "vitest";
import { windowPlace } from "../../../electron/main/windowPlace.ts";

const screens = [
  { x: 0, y: 0, width: 1920, height: 1080 },
  { x: 1920, y: 0, width: 1920, height: 1080 },
];

describe("where the window opens", () => {
  it("is where it was left, on any screen", () => {
    const left = { x: 2000, y: 50, width: 1000, height: 700, maximised: false };
    expect(windowPlace(left, screens)).toEqual({ x: 2000, y: 50, width: 1000, height: 700 });
  });

  it.each([
    ["the screen is gone", { x: 2000, y: 50 }, screens.slice(0, 1)],
    ["its title bar is above the screen", { x: 100, y: -100 }, screens],
    ["only its edge shows", { x: 1900, y: 50 }, screens.slice(0, 1)],
  ])("is in the middle where %s", (_why, at, available) => {
    expect(windowPlace({ ...at, width: 1000, height: 700, maximised: false }, available)).toEqual({ width: 1000, height: 700 });
  });

  it("is never smaller than the layout works in", () => {
    expect(windowPlace({ x: 0, y: 0, width: 10, height: 10, maximised: false }, screens)).toEqual({ x: 0, y: 0, width: 900, height: 600 });
  });

  it.each([
    ["where it was left", { x: 2000, y: 50 }, { x: 2000, y: 50 }],
    ["in the middle where that puts it out of reach", { x: -500_000_000, y: 50 }, {}],
  ])("is never larger than its screen, %s", (_how, at, place) => {
    const left = { ...at, width: 1_000_000_000, height: 1_000_000_000, maximised: false };
    expect(windowPlace(left, screens)).toEqual({ ...place, width: 1920, height: 1080 });
  });

  it("takes the screen that it mostly was on", () => {
    const beside = [...screens.slice(0, 1), { x: 1920, y: 0, width: 1000, height: 700 }];
    const left = { x: 1800, y: 0, width: 1500, height: 900, maximised: false };
    expect(windowPlace(left, beside)).toEqual({ x: 1800, y: 0, width: 1000, height: 700 });
  });

  it("has a usual size at the first start", () => {
    expect(windowPlace(null, screens)).toEqual({ width: 1280, height: 860 });
    expect(windowPlace(null, [{ x: 0, y: 0, width: 1200, height: 700 }])).toEqual({ width: 1200, height: 700 });
    expect(windowPlace(null, [])).toEqual({ width: 1280, height: 860 });
  });
});
