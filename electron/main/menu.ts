import type { MenuItemConstructorOptions } from "electron";
import type { MenuCommand } from "../contract/shell.ts";
import type { MainTexts } from "./text.ts";

export type MenuOptions = {
  readonly platform: NodeJS.Platform;
  readonly appName: string;
  readonly texts: MainTexts;
  /** Whether the developer tools are on offer. */
  readonly developer: boolean;
  readonly send: (command: MenuCommand) => void;
};

/** The application menu. Commands of the window are sent to it; the rest are the system's own roles. */
export function menuTemplate({ platform, appName, texts, developer, send }: MenuOptions): MenuItemConstructorOptions[] {
  const isMac = platform === "darwin";
  const separator: MenuItemConstructorOptions = { type: "separator" };
  const command = (id: MenuCommand, label: string, accelerator?: string): MenuItemConstructorOptions => ({
    id,
    label,
    click: () => send(id),
    ...(accelerator === undefined ? {} : { accelerator }),
  });
  const settings = command("settings", texts.settings, "CmdOrCtrl+,");
  const about = command("about-engine", texts.aboutEngine);

  const quit: MenuItemConstructorOptions = { role: "quit", label: texts.quit };

  const macMenu: MenuItemConstructorOptions = {
    label: appName,
    submenu: [
      { role: "about", label: texts.aboutApp },
      about,
      separator,
      settings,
      separator,
      { role: "services", label: texts.services },
      separator,
      { role: "hide", label: texts.hide },
      { role: "hideOthers", label: texts.hideOthers },
      { role: "unhide", label: texts.showAll },
      separator,
      quit,
    ],
  };
  return [
    ...(isMac ? [macMenu] : []),
    {
      label: texts.file,
      submenu: [
        command("open-documents", texts.openDocuments, "CmdOrCtrl+O"),
        command("new-conversation", texts.newConversation, "CmdOrCtrl+N"),
        command("stop-answer", texts.stopAnswer, "CmdOrCtrl+."),
        command("export-conversation", texts.exportConversation, "CmdOrCtrl+E"),
        command("undo-delete", texts.restoreConversation),
        separator,
        command("models", texts.models, "CmdOrCtrl+L"),
        separator,
        ...(isMac ? [{ role: "close", label: texts.closeWindow } as const] : [settings, separator, quit]),
      ],
    },
    {
      label: texts.edit,
      submenu: [
        { role: "undo", label: texts.undo },
        { role: "redo", label: texts.redo },
        separator,
        { role: "cut", label: texts.cut },
        { role: "copy", label: texts.copy },
        { role: "paste", label: texts.paste },
        command("select-all", texts.selectAll, "CmdOrCtrl+A"),
        separator,
        command("find-in-document", texts.findInDocument, "CmdOrCtrl+F"),
        command("search-conversations", texts.searchConversations, "CmdOrCtrl+Shift+F"),
        command("go-to-page", texts.goToPage, "CmdOrCtrl+G"),
      ],
    },
    {
      label: texts.view,
      submenu: [
        command("zoom-in", texts.zoomIn, "CmdOrCtrl+Plus"),
        command("zoom-out", texts.zoomOut, "CmdOrCtrl+-"),
        command("zoom-reset", texts.zoomReset, "CmdOrCtrl+0"),
        separator,
        command("text-larger", texts.textLarger, "CmdOrCtrl+Shift+."),
        command("text-smaller", texts.textSmaller, "CmdOrCtrl+Shift+,"),
        separator,
        command("next-pane", texts.nextPane, "F6"),
        command("previous-pane", texts.previousPane, "Shift+F6"),
        separator,
        { role: "togglefullscreen", label: texts.fullScreen },
        ...(developer ? [separator, { role: "toggleDevTools", label: texts.developerTools } as const] : []),
      ],
    },
    ...(isMac ? [{ role: "windowMenu", label: texts.window } as const] : []),
    {
      label: texts.help,
      role: "help",
      submenu: [command("shortcuts", texts.shortcuts, "CmdOrCtrl+/"), command("tour", texts.tour), ...(isMac ? [] : [about])],
    },
  ];
}
