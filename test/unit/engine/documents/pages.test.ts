import { describe, expect, it } from "vitest";
import { parsePageRange } from "../../../../electron/engine/documents/pages.ts";

describe("parsePageRange", () => {
  it.each([
    ["3-6,9", [3, 4, 5, 6, 9]],
    [" 2 , 1 ", [1, 2]],
    ["5,4-6,5", [4, 5, 6]],
    ["9-", [9, 10, 11, 12]],
    ["-3", [1, 2, 3]],
    ["3–4", [3, 4]],
    ["12", [12]],
  ])("reads %s", (text, pages) => {
    expect(parsePageRange(text, 12, "book.pdf")).toEqual(pages);
  });

  it.each([
    ["", "nothing"],
    ["1,,2", "nothing between"],
    ["0", "counted from 1"],
    ["7-3", "ends before it starts"],
    ["two", "neither a page number nor a range"],
    ["1-2-3", "neither a page number nor a range"],
    ["3-20", "“book.pdf” has 12 pages, so there is no page 20"],
    ["99999999999999999999", "has 12 pages"],
  ])("refuses %j and says why", (text, reason) => {
    expect(() => parsePageRange(text, 12, "book.pdf")).toThrow(
      expect.objectContaining({ code: "document-pages", message: expect.stringContaining(reason) }),
    );
  });
});
