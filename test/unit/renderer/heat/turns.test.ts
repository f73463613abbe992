import { expect, it } from "vitest";
import { createTurns } from "../../../../renderer/heat/turns.ts";

/** Turns whose frames are drawn by hand. */
function byHand() {
  const frames: (() => void)[] = [];
  const turns = createTurns((run) => void frames.push(run));
  const done: string[] = [];
  const take = (name: string, canBeSeen = true) =>
    turns.take(
      () => void done.push(name),
      () => canBeSeen,
    );
  /** Draws frames until nothing asks for one. @returns what was done in each */
  const draw = (): string[][] => {
    const each: string[][] = [];
    for (let frame = frames.shift(); frame !== undefined; frame = frames.shift()) {
      const before = done.length;
      frame();
      each.push(done.slice(before));
    }
    return each;
  };
  return { turns, take, draw, done };
}

it("does one thing in each frame, what can be seen first, else in order", () => {
  const { take, draw } = byHand();
  take("above", false);
  take("first");
  take("second");
  take("below", false);
  expect(draw()).toEqual([["first"], ["second"], ["above"], ["below"]]);
  take("later");
  expect(draw()).toEqual([["later"]]);
});

it("does not do what was taken back", () => {
  const { take, draw } = byHand();
  take("one");
  take("two")();
  take("three");
  expect(draw().flat()).toEqual(["one", "three"]);
  take("alone")();
  expect(draw().flat()).toEqual([]);
});

it("goes on after work that fails", () => {
  const { turns, take, draw, done } = byHand();
  turns.take(
    () => {
      throw new Error("broken");
    },
    () => true,
  );
  take("next");
  expect(draw).toThrow("broken");
  draw();
  expect(done).toEqual(["next"]);
});
