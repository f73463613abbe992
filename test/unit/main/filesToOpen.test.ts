import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { FilesToOpen, filesFromArguments } from "../../../electron/main/filesToOpen.ts";

describe("files on the command line", () => {
  it("takes what is no switch, absolute from the folder it was started in", () => {
    const files = filesFromArguments(["/opt/longsight", "--inspect=0", "--no-sandbox", "a b.pdf", "", "/x/ü'.txt"], {
      folder: "/home/a",
      hasAppFolder: false,
    });
    expect(files).toEqual([resolve("/home/a/a b.pdf"), resolve("/x/ü'.txt")]);
  });

  it("leaves out the app's own folder where Electron was given one", () => {
    expect(filesFromArguments(["electron", "--inspect=0", "/app", "a.pdf"], { folder: "/home", hasAppFolder: true })).toEqual([
      resolve("/home/a.pdf"),
    ]);
  });

  it("takes names that look like switches after --", () => {
    expect(filesFromArguments(["longsight", "a.pdf", "--", "--b.pdf"], { folder: "/home", hasAppFolder: false })).toEqual([
      resolve("/home/a.pdf"),
      resolve("/home/--b.pdf"),
    ]);
  });
});

describe("files that wait for the window", () => {
  it("hands each out once and tells only of new ones", () => {
    let told = 0;
    const files = new FilesToOpen(() => {
      told += 1;
    });
    files.add([]);
    files.add(["/a", "/b"]);
    files.add(["/b"]);
    files.add(["/b", "/c"]);
    expect([files.take(), files.take(), told]).toEqual([["/a", "/b", "/c"], [], 2]);
  });
});
