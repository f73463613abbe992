import { expect, it } from "vitest";
import type { OpenedDocument } from "../../../../electron/engine/documents/documents.ts";
import { searchDocument } from "../../../../electron/engine/search/searchDocument.ts";

function documentOf(texts: readonly string[]): OpenedDocument {
  return {
    id: "a".repeat(64),
    name: "manual.pdf",
    path: "/manual.pdf",
    kind: "pdf",
    bytes: 1,
    characters: 1,
    locked: false,
    notices: [],
    pages: texts.map((text, index) => ({ page: index + 1, text, characters: text.length, flags: [], width: 595, height: 842 })),
  };
}

const never = new AbortController().signal;

it("tells the places on each page, in units of its text, whatever case, accents and line ends", async () => {
  const document = documentOf(["Die Stromstärke ist\nbegrenzt.", "", "STROMSTÄRKE  IST alles; stromstarke ist 1"]);
  const { documentId, hits, more } = await searchDocument(document, " stromstärke IST ", never);
  expect(documentId).toBe(document.id);
  expect(hits.map(({ page, start, end }) => [page, document.pages[page - 1]?.text.slice(start, end)])).toEqual([
    [1, "Stromstärke ist"],
    [3, "STROMSTÄRKE  IST"],
    [3, "stromstarke ist"],
  ]);
  expect(more).toBe(false);
});

it("says that there is more than it lists", async () => {
  const { hits, more } = await searchDocument(documentOf(["ab ".repeat(700), "ab ".repeat(700)]), "ab", never);
  expect([hits.length, hits.at(-1)?.page, more]).toEqual([1000, 2, true]);
});

it("is stopped between pages", async () => {
  const controller = new AbortController();
  const pages = Array.from({ length: 400 }, () => "some text");
  const searching = searchDocument(documentOf(pages), "text", controller.signal);
  controller.abort();
  await expect(searching).rejects.toMatchObject({ code: "cancelled" });
});
