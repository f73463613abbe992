import { expect, it } from "vitest";
import { pathTo, strayHeads, turnsInView, versionsOf } from "../../../../electron/engine/conversation/turnTree.ts";

const place = (id: string, parent: string | null, shown: number) => ({ id, parent, shown });
/** a → b → c, and b2 beside b with d behind it. */
const places = [place("a", null, 0), place("b", "a", 5), place("c", "b", 2), place("b2", "a", 3), place("d", "b2", 4)];

it("shows at each place the version that was shown last, and what follows that one", () => {
  expect(turnsInView(places)).toEqual(["a", "b", "c"]);
  expect(turnsInView(places.map((other) => (other.id === "b2" ? { ...other, shown: 6 } : other)))).toEqual(["a", "b2", "d"]);
  expect(turnsInView([])).toEqual([]);
});

it("knows the way to a turn that is not in view, and none to one that is not there", () => {
  expect(pathTo(places, "d")).toEqual(["a", "b2", "d"]);
  expect(pathTo(places, "a")).toEqual(["a"]);
  expect(pathTo(places, "x")).toBeNull();
});

it("comes to an end where rows were changed by hand into a circle, or point nowhere", () => {
  const circle = [place("a", "b", 0), place("b", "a", 1), place("lost", "gone", 2)];
  expect(turnsInView(circle)).toEqual([]);
  expect(pathTo(circle, "a")).toEqual(["b", "a"]);
  expect(pathTo(circle, "lost")).toEqual(["lost"]);
});

it("names versions only where there are several", () => {
  expect(versionsOf(places, ["a", "b", "c"])).toEqual({ b: ["b", "b2"] });
});

it("finds what no first turn leads to: one to begin each such piece, the oldest of a circle", () => {
  const circle = [place("tail", "x", 0), place("z", "y", 1), place("x", "z", 2), place("y", "x", 3)];
  const lost = [place("lost", "gone", 4), place("behind", "lost", 5), place("own", "own", 6)];
  expect(strayHeads([...places, ...circle, ...lost])).toEqual(["z", "lost", "own"]);
  expect(strayHeads(places)).toEqual([]);
});
