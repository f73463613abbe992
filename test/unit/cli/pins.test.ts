import { describe, expect, it } from "vitest";
import { parseCommand } from "../../../electron/cli/arguments.ts";
import { pinsOf } from "../../../electron/cli/pins.ts";
import type { DocumentSummary } from "../../../electron/contract/document.ts";
import type { Pin } from "../../../electron/contract/pin.ts";

const documentOf = (id: string, path: string): DocumentSummary => ({
  id: id.repeat(64),
  name: path.slice(path.lastIndexOf("/") + 1),
  path,
  kind: "text",
  bytes: 1,
  pages: [],
  characters: 1,
  tokens: null,
  locked: false,
  notices: [],
});
const documents = [documentOf("a", "/x/manual: new.txt"), documentOf("b", "/y/notes.txt"), documentOf("c", "/z/notes.txt")];

function pin(argv: readonly string[], found: readonly Pin[] = []): Promise<Pin[]> {
  const command = parseCommand(["ask", "f.txt", "--question", "?", "--budget", "64", ...argv]);
  if (command.name !== "ask") throw new Error("not ask");
  return pinsOf(command.options, documents, async () => found);
}

describe("--pin", () => {
  it("names a file by its path, or its name where that is enough", async () => {
    expect(await pin(["--pin", "/x/manual: new.txt:3:10-20"])).toEqual([{ documentId: "a".repeat(64), page: 3, start: 10, end: 20 }]);
    expect(await pin(["--pin", "manual: new.txt:1:0-1", "--pin", "/z/notes.txt:2:5-9"])).toMatchObject([
      { page: 1 },
      { documentId: "c".repeat(64) },
    ]);
    await expect(pin(["--pin", "notes.txt:1:0-1"])).rejects.toThrow(/several files/);
    await expect(pin(["--pin", "other.txt:1:0-1"])).rejects.toThrow(/“other.txt”.*none of the files/);
  });

  it.each(["manual.pdf", "manual.pdf:1", "manual.pdf:1:5-5", "manual.pdf:1:9-5", "manual.pdf:0:1-2", ":1:1-2", "manual.pdf:1:1-"])(
    "refuses %s",
    (text) => {
      expect(() => parseCommand(["ask", "f.txt", "--question", "?", "--budget", "64", "--pin", text])).toThrow(
        /--pin takes FILE:PAGE:START-END/,
      );
    },
  );

  it("is refused where nothing is evicted", () => {
    expect(() => parseCommand(["ask", "f.txt", "--question", "?", "--pin-text", "seal"])).toThrow(/without a budget all is kept/);
  });
});

describe("--pin-text", () => {
  const place: Pin = { documentId: "b".repeat(64), page: 2, start: 4, end: 8 };
  it("is the one place where the words stand", async () => {
    expect(await pin(["--pin-text", "seal"], [place])).toEqual([place]);
  });
  it("says where words stand in several places, or in none", async () => {
    await expect(pin(["--pin-text", "seal"], [])).rejects.toThrow(/“seal” stands on none/);
    await expect(pin(["--pin-text", "seal"], [place, { ...place, page: 3 }])).rejects.toThrow(/notes.txt:2:4-8, notes.txt:3:4-8/);
  });
});
