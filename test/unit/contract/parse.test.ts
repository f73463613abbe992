import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseAt } from "../../../electron/contract/parse.ts";

const schema = z.object({ page: z.number().int().positive(), documents: z.array(z.object({ id: z.string() })) });

describe("parseAt", () => {
  it("gives what was understood, without what was not asked for", () => {
    expect(parseAt("request", schema, { page: 1, documents: [{ id: "a", extra: 1 }], stranger: true })).toEqual({
      page: 1,
      documents: [{ id: "a" }],
    });
  });

  it("names the door and each field that does not fit", () => {
    expect(() => parseAt("request pageText", schema, { page: 0, documents: [{ id: "a" }, { id: 3 }] })).toThrow(
      expect.objectContaining({ code: "usage", message: expect.stringMatching(/request pageText.*page: .*documents\.1\.id: /) }),
    );
  });

  it.each([undefined, null, 3, "text", []])("refuses %j for an object", (value) => {
    expect(() => parseAt("request", schema, value)).toThrow(
      expect.objectContaining({ code: "usage", message: expect.stringContaining("value: ") }),
    );
  });
});
