import { expect, it } from "vitest";
import { pathOfFile } from "../../../electron/preload/pathOfFile.ts";

const file = new File(["text"], "a.txt");

it("asks Electron where it can be asked", () => {
  expect(pathOfFile(file, { getPathForFile: ({ name }) => `/from electron/${name}` })).toBe("/from electron/a.txt");
});

it("takes the file's own path on an Electron that has no webUtils, and has none for a file that a page made", () => {
  expect(pathOfFile(Object.assign(new File([], "b.txt"), { path: "/own/b.txt" }), undefined)).toBe("/own/b.txt");
  expect(pathOfFile(file, undefined)).toBe("");
});
