import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../../../bench/bundle.mjs";
import { filesBelow, root } from "../../../scripts/files.mjs";

/** From an opening bracket's place to behind its closing one. */
function bracketed(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return text.slice(from, at + 1);
  }
  throw new Error("A bracket is not closed.");
}

const sources = await Promise.all(
  (await filesBelow(join(root, "bench"), (name) => name.endsWith(".mjs"))).map(async (path) => ({
    file: relative(root, path),
    text: await readFile(path, "utf8"),
  })),
);
const users = sources.flatMap(({ file, text }) => {
  const call = /const (?<target>\{[^}]*\}|\w+) = await bundle\(/.exec(text);
  const target = call?.groups?.["target"];
  if (call === null || target === undefined) return [];
  const names = target.startsWith("{")
    ? target.slice(1, -1).split(",")
    : [...text.matchAll(new RegExp(`\\b${target}\\.(\\w+)`, "g"))].map(([, name]) => name ?? "");
  const list = bracketed(text, call.index + call[0].length - 1);
  return [{ file, list, names: [...new Set(names.map((name) => name.trim()).filter((name) => name !== ""))] }];
});

// These scripts are not compiled, and most of them run for minutes: a name that moved would be found when it is needed.
test.each(users)("$file takes from the engine what there is", async ({ list, names }) => {
  const files: string[] = new Function(`return [${list.slice(1, -1)}][0];`)();
  const exported = await bundle(files);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !(name in exported))).toEqual([]);
});
