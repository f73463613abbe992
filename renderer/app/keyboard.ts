import type { MenuCommand } from "../../electron/contract/shell.ts";

/** What of a key press matters. */
export type KeyPress = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
};

/**
 * The command of a key press, or null. `typing`: the focus is in a text field, where letters are letters. `dialog`: a dialog
 * is open and has its own keys.
 */
export function commandOf(press: KeyPress, platform: string, typing: boolean, dialog: boolean): MenuCommand | null {
  if (dialog) return null;
  const { key, ctrlKey, metaKey, shiftKey, altKey } = press;
  const command = platform === "darwin" ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  if (key === "F6" && !ctrlKey && !metaKey && !altKey) return shiftKey ? "previous-pane" : "next-pane";
  if (key === "Escape" && !ctrlKey && !metaKey && !altKey && !shiftKey) return "stop-answer";
  if (key === "?" && !typing && !ctrlKey && !metaKey && !altKey) return "shortcuts";
  if (!command || altKey) return null;
  // With Shift these two keys write different signs on different keyboards.
  if (shiftKey && [".", ">", ":"].includes(key)) return "text-larger";
  if (shiftKey && [",", "<", ";"].includes(key)) return "text-smaller";
  switch (key) {
    case "o":
    case "O":
      return "open-documents";
    case "n":
    case "N":
      return "new-conversation";
    case "e":
    case "E":
      return "export-conversation";
    case "f":
    case "F":
      return shiftKey ? "search-conversations" : "find-in-document";
    // In a field it is the field's own.
    case "z":
      return typing ? null : "undo-delete";
    case "g":
    case "G":
      return "go-to-page";
    case "l":
    case "L":
      return "models";
    case "+":
    case "=":
      return "zoom-in";
    case "-":
      return "zoom-out";
    case "0":
      return "zoom-reset";
    case ",":
      return "settings";
    default:
      return null;
  }
}

/** What the menu may still do while a dialog is open: what has nothing to do with the window behind it, or stays where the focus is. */
const besideDialogs: ReadonlySet<MenuCommand> = new Set([
  "select-all",
  "text-larger",
  "text-smaller",
  "models",
  "settings",
  "about-engine",
  "shortcuts",
]);

/** Whether a command of the menu is carried out: behind an open dialog nothing is opened, begun or focused, where nobody would see it. */
export function menuCommandWorks(command: MenuCommand, dialog: boolean): boolean {
  return !dialog || besideDialogs.has(command);
}

/** True where keys write text. */
export function isTextField(element: Element | null): boolean {
  if (element === null) return false;
  const tag = element.tagName;
  if (tag === "TEXTAREA" || tag === "SELECT") return true;
  if (tag !== "INPUT") return element.getAttribute("contenteditable") === "true";
  return !["button", "checkbox", "radio", "range", "submit"].includes(element.getAttribute("type") ?? "text");
}
