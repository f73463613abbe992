import { describe, expect, test } from "vitest";
import { formatPageRange, parsePageRange } from "../../../../renderer/prompt/pageRange.ts";

describe("page ranges", () => {
  test.each([
    ["1-3, 5", [1, 2, 3, 5]],
    ["5;1–2", [1, 2, 5]],
    ["8-", [8, 9, 10]],
    ["3,3, 2-4", [2, 3, 4]],
    [" 7 ", [7]],
  ])("reads %j", (text, pages) => {
    expect(parsePageRange(text, 10)).toEqual({ ok: true, pages });
  });

  test.each([
    ["", null],
    ["  ", null],
    ["1-10", null],
    ["1-5,6-10", null],
  ])("takes %j as the whole document", (text, pages) => {
    expect(parsePageRange(text, 10)).toEqual({ ok: true, pages });
  });

  test.each([
    ["a", "syntax"],
    ["5-3", "syntax"],
    [",", "syntax"],
    ["1-2-3", "syntax"],
    ["0", "outside"],
    ["9-11", "outside"],
    ["9999999", "outside"],
  ])("refuses %j as %s", (text, reason) => {
    expect(parsePageRange(text, 10)).toEqual({ ok: false, reason });
  });

  test("writes what it reads", () => {
    expect(formatPageRange(null)).toBe("");
    expect(formatPageRange([1, 2, 3, 5, 7, 8])).toBe("1–3, 5, 7–8");
    expect(parsePageRange(formatPageRange([1, 2, 3, 5, 7, 8]), 10)).toEqual({ ok: true, pages: [1, 2, 3, 5, 7, 8] });
  });
});
