import { describe, expect, test } from "vitest";
import { commandOf, type KeyPress, menuCommandWorks } from "../../../../renderer/app/keyboard.ts";
import { nextPane } from "../../../../renderer/app/panes.ts";

const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...change,
});

describe("keys", () => {
  test.each([
    [press("o", { ctrlKey: true }), "open-documents"],
    [press("N", { ctrlKey: true }), "new-conversation"],
    [press("g", { ctrlKey: true }), "go-to-page"],
    [press("f", { ctrlKey: true }), "find-in-document"],
    [press("F", { ctrlKey: true, shiftKey: true }), "search-conversations"],
    [press("z", { ctrlKey: true }), "undo-delete"],
    [press(">", { ctrlKey: true, shiftKey: true }), "text-larger"],
    [press(":", { ctrlKey: true, shiftKey: true }), "text-larger"],
    [press("<", { ctrlKey: true, shiftKey: true }), "text-smaller"],
    [press(";", { ctrlKey: true, shiftKey: true }), "text-smaller"],
    [press(",", { ctrlKey: true }), "settings"],
    [press(".", { ctrlKey: true }), null],
    [press("l", { ctrlKey: true }), "models"],
    [press("p", { ctrlKey: true }), null],
    [press("Escape"), "stop-answer"],
    [press("F6"), "next-pane"],
    [press("F6", { shiftKey: true }), "previous-pane"],
    [press("?", { shiftKey: true }), "shortcuts"],
    [press("o"), null],
    [press("o", { ctrlKey: true, altKey: true }), null],
  ])("%j is %s", (key, command) => {
    expect(commandOf(key, "linux", false, false)).toBe(command);
  });

  test("a question mark in a text field is a question mark, and a dialog has its own keys", () => {
    expect(commandOf(press("?"), "linux", true, false)).toBeNull();
    expect(commandOf(press("Escape"), "linux", false, true)).toBeNull();
    // What is undone in a field is the typing.
    expect(commandOf(press("z", { ctrlKey: true }), "linux", true, false)).toBeNull();
  });

  test("the command key is the one of the system", () => {
    expect(commandOf(press("o", { metaKey: true }), "darwin", false, false)).toBe("open-documents");
    expect(commandOf(press("o", { ctrlKey: true }), "darwin", false, false)).toBeNull();
  });

  test("the menu opens and begins nothing behind a dialog, where nobody would see it", () => {
    for (const command of ["open-documents", "new-conversation", "export-conversation", "undo-delete", "next-pane"] as const) {
      expect(menuCommandWorks(command, true)).toBe(false);
      expect(menuCommandWorks(command, false)).toBe(true);
    }
    for (const command of ["settings", "text-larger"] as const) expect(menuCommandWorks(command, true)).toBe(true);
  });

  test("panes follow each other round the corner", () => {
    // Outside of all, from between two of them.
    expect(nextPane(-0.5, 1, 3)).toBe(0);
    expect(nextPane(-0.5, -1, 3)).toBe(2);
    expect(nextPane(0.5, 1, 3)).toBe(1);
    expect(nextPane(0.5, -1, 3)).toBe(0);
    expect(nextPane(2.5, 1, 3)).toBe(0);
    expect(nextPane(2, 1, 3)).toBe(0);
    expect(nextPane(0, -1, 3)).toBe(2);
  });
});
