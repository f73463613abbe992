import type { MenuItemConstructorOptions } from "electron";
import type { MenuCommand } from "../contract/shell.ts";

export type MenuOptions = {
  readonly platform: NodeJS.Platform;
  readonly appName: string;
  /** Whether the developer tools are on offer. */
  readonly developer: boolean;
  readonly send: (command: MenuCommand) => void;
};

/** The application menu. Commands of the window are sent to it; the rest are the system's own roles. */
export function menuTemplate({ platform, appName, developer, send }: MenuOptions): MenuItemConstructorOptions[] {
  const isMac = platform === "darwin";
  const separator: MenuItemConstructorOptions = { type: "separator" };
  const command = (id: MenuCommand, label: string, accelerator?: string): MenuItemConstructorOptions => ({
    id,
    label,
    click: () => send(id),
    ...(accelerator === undefined ? {} : { accelerator }),
  });
  const settings = command("settings", "Settings…", "CmdOrCtrl+,");
  const about = command("about-engine", "About the Engine");

  const macMenu: MenuItemConstructorOptions = {
    label: appName,
    submenu: [
      { role: "about" },
      about,
      separator,
      settings,
      separator,
      { role: "services" },
      separator,
      { role: "hide" },
      { role: "hideOthers" },
      { role: "unhide" },
      separator,
      { role: "quit" },
    ],
  };
  return [
    ...(isMac ? [macMenu] : []),
    {
      label: "&File",
      submenu: [
        command("open-documents", "Open Documents…", "CmdOrCtrl+O"),
        command("new-conversation", "New Conversation", "CmdOrCtrl+N"),
        command("stop-answer", "Stop Answer", "CmdOrCtrl+."),
        command("export-conversation", "Export Conversation…", "CmdOrCtrl+E"),
        command("undo-delete", "Restore Deleted Conversation"),
        separator,
        command("models", "Models…", "CmdOrCtrl+L"),
        separator,
        ...(isMac ? [{ role: "close" } as const] : [settings, separator, { role: "quit" } as const]),
      ],
    },
    {
      label: "&Edit",
      submenu: [
        { role: "undo" },
        { role: "redo" },
        separator,
        { role: "cut" },
        { role: "copy" },
        { role: "paste" },
        { role: "selectAll" },
        separator,
        command("find-in-document", "Find in Document…", "CmdOrCtrl+F"),
        command("search-conversations", "Search Conversations…", "CmdOrCtrl+Shift+F"),
        command("go-to-page", "Go to Page…", "CmdOrCtrl+G"),
      ],
    },
    {
      label: "&View",
      submenu: [
        command("zoom-in", "Zoom In", "CmdOrCtrl+Plus"),
        command("zoom-out", "Zoom Out", "CmdOrCtrl+-"),
        command("zoom-reset", "Actual Size", "CmdOrCtrl+0"),
        separator,
        command("next-pane", "Next Pane", "F6"),
        command("previous-pane", "Previous Pane", "Shift+F6"),
        separator,
        { role: "togglefullscreen" },
        ...(developer ? [separator, { role: "toggleDevTools" } as const] : []),
      ],
    },
    ...(isMac ? [{ role: "windowMenu" } as const] : []),
    {
      label: "&Help",
      role: "help",
      submenu: [command("shortcuts", "Keyboard Shortcuts", "CmdOrCtrl+/"), ...(isMac ? [] : [about])],
    },
  ];
}
