import { expect, test } from "vitest";
import type { Budget } from "../../../../electron/contract/conversation.ts";
import { BudgetNote } from "../../../../renderer/prompt/BudgetNote.tsx";
import { createDesk, measureOf } from "../fakeEngine.ts";
import { show } from "../show.tsx";

function note(budget: Budget, fits: boolean): string {
  const { session } = createDesk();
  const { shell, prompt } = session.stores;
  shell.setState(({ settings }) => ({ settings: { ...settings, budget } }));
  prompt.setState({ measured: { key: "k", question: "", measure: measureOf({ fits }) } });
  const html = show(session, <BudgetNote />);
  session.dispose();
  return html;
}

test("a budget is said to be of no help where the prompt does not fit, and only there", () => {
  expect(note(64, false)).toContain("A budget does not help here: the whole prompt must fit the context while it is read");
  expect(note(64, true)).toBe("");
  expect(note("full", false)).toBe("");
});
