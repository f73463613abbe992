import { expect, test } from "vitest";
import { withoutBlanks, withoutPin, withPin } from "../../../../renderer/pins/pinList.ts";
import { idOf } from "../fakeEngine.ts";

const pinOf = (start: number, end: number, page = 1, letter = "a") => ({ documentId: idOf(letter), page, start, end });

test("a passage is pinned without the blanks around it, and not at all where there is nothing else", () => {
  expect(withoutBlanks("ab  cd\n ef", pinOf(2, 8))).toEqual(pinOf(4, 6));
  expect(withoutBlanks("ab  cd", pinOf(0, 6))).toEqual(pinOf(0, 6));
  expect(withoutBlanks("ab  cd", pinOf(2, 4))).toBeNull();
});

test("what a new pin touches on its page becomes one with it; other pages and documents are left alone", () => {
  const pins = [pinOf(0, 5), pinOf(10, 20), pinOf(10, 20, 2), pinOf(10, 20, 1, "b"), pinOf(30, 40)];
  expect(withPin(pins, pinOf(5, 12))).toEqual([pinOf(10, 20, 2), pinOf(10, 20, 1, "b"), pinOf(30, 40), pinOf(0, 20)]);
  expect(withPin(pins, pinOf(22, 25))).toEqual([...pins, pinOf(22, 25)]);
  expect(withPin(pins, pinOf(12, 13))).toHaveLength(5);
});

test("an unpinned passage is gone, and it alone", () => {
  expect(withoutPin([pinOf(0, 5), pinOf(0, 5, 2), pinOf(0, 6)], pinOf(0, 5))).toEqual([pinOf(0, 5, 2), pinOf(0, 6)]);
});
