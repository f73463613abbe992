import { expect, test } from "vitest";
import type { LibraryEntry } from "../../../../electron/contract/document.ts";
import { libraryMatching } from "../../../../renderer/documents/librarySearch.ts";

const entry = (name: string, title: string | null = null): LibraryEntry => ({
  id: "a".repeat(64),
  name,
  path: `/home/ada/Papers/${name}`,
  kind: "pdf",
  bytes: 1,
  pages: 1,
  locked: false,
  title,
  tokens: null,
  openedAt: 1,
});
const library = [entry("Résumé 2024.pdf"), entry("9780.epub", "Tides & Sands"), entry("manual.pdf")];
const found = (sought: string): string[] => libraryMatching(library, sought).map(({ name }) => name);

test.each([
  ["", ["Résumé 2024.pdf", "9780.epub", "manual.pdf"]],
  ["  ", ["Résumé 2024.pdf", "9780.epub", "manual.pdf"]],
  ["RESUME", ["Résumé 2024.pdf"]],
  ["pdf 2024", ["Résumé 2024.pdf"]],
  ["sands", ["9780.epub"]],
  ["papers", ["Résumé 2024.pdf", "9780.epub", "manual.pdf"]],
  ["manual sands", []],
])("%j finds what has all its words", (sought, names) => {
  expect(found(sought)).toEqual(names);
});
