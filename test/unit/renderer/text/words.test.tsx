import { afterEach, expect, test } from "vitest";
import { LongsightError, problemSchema, toProblem } from "../../../../electron/contract/errors.ts";
import { noticesOf, say } from "../../../../electron/contract/said.ts";
import { StatusRow } from "../../../../renderer/app/StatusRow.tsx";
import { Openings } from "../../../../renderer/documents/Openings.tsx";
import { speak } from "../../../../renderer/text/i18n.ts";
import { wordsOf } from "../../../../renderer/text/words.ts";
import { createDesk, type Desk, eventually, model } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => {
  speak("en", "en");
  desk.session.dispose();
});

const longer = say("longerThanTrained", { tokens: 8192 });

async function started(): Promise<Desk["session"]> {
  const loaded = { ...model, ...noticesOf([longer, { message: "Said by an earlier version." }]) };
  desk = createDesk({
    currentModel: () => loaded,
    loadModel: () => loaded,
    openDocument: () => {
      // As it comes out of the engine's process.
      const problem = toProblem(new LongsightError("document-damaged", say("pdfDamaged", { file: "a.pdf" }), "no trailer"));
      const { code, detail, ...message } = problemSchema.parse(structuredClone(problem));
      throw new LongsightError(code, message, detail);
    },
  });
  await desk.session.start();
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
  return desk.session;
}

test("a German window shows the engine's errors and notices in German, and in English again after a change", async () => {
  const session = await started();
  await session.conversations.openFiles(["/files/a.pdf"]);
  speak("de", "en");
  expect(show(session, <Openings />)).toContain("„a.pdf“ ist beschädigt und kann nicht als PDF gelesen werden.");
  expect(show(session, <StatusRow />)).toContain("Der Kontext ist länger als die 8.192 Tokens");
  expect(show(session, <StatusRow />)).toContain("Said by an earlier version.");
  speak("en", "de");
  expect(show(session, <Openings />)).toContain("“a.pdf” is damaged and cannot be read as a PDF.");
  expect(show(session, <StatusRow />)).toContain(longer.message);
});

test("what another version says is shown as it says it", async () => {
  await started();
  speak("de", "de");
  expect(wordsOf({ message: "It is new.", said: { name: "inventedLater", values: {} } })).toBe("It is new.");
  expect(wordsOf({ message: "It is old." })).toBe("It is old.");
});
