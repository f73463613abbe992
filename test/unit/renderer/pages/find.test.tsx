import { afterEach, describe, expect, test } from "vitest";
import { FindBar } from "../../../../renderer/pages/FindBar.tsx";
import { firstHitFrom, hitsOnPage } from "../../../../renderer/pages/findStore.ts";
import { createDesk, type Desk, eventually, idOf } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

const hits = [
  { page: 1, start: 0, end: 3 },
  { page: 3, start: 5, end: 8 },
  { page: 3, start: 9, end: 12 },
];
const find = () => desk.session.stores.find.getState();
const searched = () => desk.asked.filter(({ method }) => method === "searchDocument").map(({ payload }) => payload);

async function started(): Promise<void> {
  desk = createDesk({
    searchDocument: ({ documentId, text }: { documentId: string; text: string }) => ({
      documentId,
      hits: text === "3 A" ? hits : [],
      more: false,
    }),
  });
  await desk.session.start();
  await desk.session.conversations.openFiles(["/files/a.pdf", "/files/b.pdf"]);
  desk.session.documents.show(idOf("a"));
}

describe("a search in the document", () => {
  test("goes to the first place from the page in view on, and round the end", async () => {
    await started();
    desk.session.documents.pageSeen(idOf("a"), 2);
    desk.session.find.open();
    desk.session.find.type("3 A");
    await eventually(() => expect(find().found?.hits).toHaveLength(3));
    expect(find().index).toBe(1);
    expect(desk.session.stores.view.getState().goTo).toEqual({ documentId: idOf("a"), page: 3 });
    expect(show(desk.session, <FindBar />)).toContain("2 of 3 · p. 3");
    desk.session.find.step(1);
    desk.session.find.step(1);
    expect(find().index).toBe(0);
    desk.session.find.step(-1);
    expect(find().index).toBe(2);
    expect(hitsOnPage(find(), idOf("a"), 3)).toEqual([
      { ...hits[1], current: false },
      { ...hits[2], current: true },
    ]);
    expect(hitsOnPage(find(), idOf("b"), 3)).toEqual([]);
  });

  test("looks again in another document that comes into view, says when nothing is there, and ends with its bar", async () => {
    await started();
    desk.session.find.open();
    desk.session.find.type("else");
    await eventually(() => expect(find().found?.hits).toEqual([]));
    expect(show(desk.session, <FindBar />)).toContain("Not in this document");
    desk.session.documents.show(idOf("b"));
    await eventually(() => expect(searched().at(-1)).toMatchObject({ documentId: idOf("b"), text: "else" }));
    desk.session.find.close();
    expect(show(desk.session, <FindBar />)).toBe("");
    desk.session.documents.show(idOf("a"));
    expect(searched()).toHaveLength(2);
  });

  test("starts at the first place of all where none comes after the page in view", () => {
    expect(firstHitFrom(hits, 4)).toBe(0);
    expect(firstHitFrom(hits, 3)).toBe(1);
    expect(firstHitFrom([], 1)).toBe(0);
  });
});
