import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const root = new URL("../../../", import.meta.url);
const page = await readFile(new URL("docs/acceptance.md", root), "utf8");
/** `file` “title”, as the page names a test. */
const named = [...page.matchAll(/`((?:unit|engine|e2e)\/[^`]+)` “([^”]+)”/g)].map(([, file = "", title = ""]) => ({ file, title }));

it("has a line for each row of the three tables", () => {
  const rows = [...page.matchAll(/^\| (T[ABC]\d+) \|/gm)].map(([, row]) => row);
  const ids = (letter: string, numbers: readonly number[]) => numbers.map((number) => `T${letter}${number}`);
  expect(rows).toEqual([
    ...ids("A", [1, 2, 4, 5, 6, 7, 8, 10, 11, 13, 14, 16]),
    ...ids("B", [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 14, 15, 16, 17]),
    ...ids("C", [1, 2, 3, 5, 7, 8]),
  ]);
});

it("names tests that there are", async () => {
  expect(named.length).toBeGreaterThan(60);
  for (const { file, title } of named) {
    // A quotation mark within a title may be escaped in the source, or not.
    const source = (await readFile(new URL(`test/${file}`, root), "utf8")).replaceAll("\\", "");
    expect(source.includes(title), `“${title}” in ${file}`).toBe(true);
  }
});
