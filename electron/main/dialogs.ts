import { basename } from "node:path";
import { type BrowserWindow, dialog, type FileFilter, type MessageBoxOptions, type OpenDialogOptions, shell } from "electron";
import type { CatalogueModel } from "../contract/catalogue.ts";
import { LongsightError } from "../contract/errors.ts";
import type { ExportFormat } from "../contract/export.ts";
import type { ShellRequestOf } from "../contract/shell.ts";
import { writeWhole } from "../engine/writeWhole.ts";
import { webAddress } from "./addresses.ts";

const openOptions: Readonly<Record<ShellRequestOf<"chooseFiles">["purpose"], OpenDialogOptions>> = {
  documents: {
    title: "Open Documents",
    properties: ["openFile", "multiSelections"],
    filters: [
      { name: "Documents", extensions: ["pdf", "docx", "epub", "html", "htm", "xhtml", "txt", "text", "md", "markdown"] },
      { name: "All Files", extensions: ["*"] },
    ],
  },
  model: {
    title: "Choose a Model",
    properties: ["openFile"],
    filters: [
      { name: "GGUF Models", extensions: ["gguf"] },
      { name: "All Files", extensions: ["*"] },
    ],
  },
};

const saveFilters: Readonly<Record<ExportFormat, FileFilter>> = {
  markdown: { name: "Markdown", extensions: ["md"] },
  json: { name: "JSON", extensions: ["json"] },
  html: { name: "Web Page", extensions: ["html"] },
};

/**
 * Asks where to save a text and writes it there, whole or not at all. The place is the person's choice alone: the window cannot name it.
 * @throws LongsightError `storage`
 */
export async function saveText(
  window: BrowserWindow,
  { name, format, text }: ShellRequestOf<"saveText">,
): Promise<{ path: string | null }> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: "Export Conversation",
    defaultPath: basename(name),
    filters: [saveFilters[format]],
    properties: ["createDirectory", "showOverwriteConfirmation"],
  });
  if (canceled || !filePath) return { path: null };
  await writeWhole(filePath, [text]);
  return { path: filePath };
}

/** The system's dialog for files; empty when dismissed. */
export async function chooseFiles(window: BrowserWindow, purpose: ShellRequestOf<"chooseFiles">["purpose"]): Promise<string[]> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, openOptions[purpose]);
  return canceled ? [] : filePaths;
}

/**
 * Shows a link's address and opens it in the system's browser if the person agrees.
 * @throws LongsightError `not-supported` for anything but an https address
 */
export async function openLink(window: BrowserWindow, address: string): Promise<{ opened: boolean }> {
  const parsed = webAddress(address);
  if (parsed === null) throw new LongsightError("not-supported", "This link is not opened: only https addresses are.");
  const { response } = await dialog.showMessageBox(window, {
    type: "question",
    message: "Open this address in your browser?",
    detail: `${parsed}\n\nLongsight itself stays offline; your browser will connect to this address.`,
    buttons: ["Open", "Cancel"],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response !== 0) return { opened: false };
  await shell.openExternal(parsed);
  return { opened: true };
}

/** Shows what a download is and where it comes from; true where the person agrees. */
export async function askToDownload(window: BrowserWindow, { name, bytes, licence, address, servers }: CatalogueModel): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: "question",
    message: `Download “${name}” (${Math.round(bytes / 1e6).toLocaleString("en")} MB, ${licence})?`,
    detail: `${address}\n\nLongsight will connect to this address, which may pass the download on to servers of ${servers.join(" and ")}. Nothing of yours is sent. The file is used only if it is the one that was tested, by its SHA-256.`,
    buttons: ["Download", "Cancel"],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

/** Asks whether to quit although the engine is at work. */
export async function askToQuit(window: BrowserWindow | null): Promise<boolean> {
  const options: MessageBoxOptions = {
    type: "question",
    message: "Quit while Longsight is still working?",
    detail: "An answer is being written or a document is being read. What has been written so far is kept.",
    buttons: ["Quit", "Keep Working"],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  };
  const { response } = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
  return response === 0;
}

/** Tells something that the person should know once; resolves when they have closed it. */
export async function showNotice(window: BrowserWindow | null, message: string): Promise<void> {
  const options: MessageBoxOptions = { type: "warning", message, buttons: ["OK"], noLink: true };
  await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
}
