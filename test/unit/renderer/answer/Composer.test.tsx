import { afterEach, expect, test } from "vitest";
import { Composer } from "../../../../renderer/answer/Composer.tsx";
import { createDesk, type Desk, eventually, idOf, summaryOf } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

test("a document without text is named among those that have some", async () => {
  desk = createDesk();
  await desk.session.start();
  await desk.session.conversations.openFiles(["/files/a.pdf", "/files/b.pdf"]);
  const { conversations, documents } = desk.session.stores;
  await eventually(() => expect(conversations.getState().current?.documents).toHaveLength(2));
  documents.setState(({ open }) => ({ open: { ...open, [idOf("b")]: summaryOf("b", { characters: 0 }) } }));
  expect(desk.session.prompt.obstacle()).toBe("no-text");
  const markup = show(desk.session, <Composer running={false} obstacle="no-text" />);
  expect(markup).toContain("“b.pdf” has no text that the model can read.");
});
