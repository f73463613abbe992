import { basename, join } from "node:path";
import { app, type BrowserWindow, dialog, type FileFilter, type MessageBoxOptions, type OpenDialogOptions, shell } from "electron";
import type { CatalogueModel } from "../contract/catalogue.ts";
import { LongsightError } from "../contract/errors.ts";
import type { ExportFormat } from "../contract/export.ts";
import type { Language } from "../contract/language.ts";
import { wordsIn } from "../contract/messages/wordsIn.ts";
import { say } from "../contract/said.ts";
import type { ShellRequestOf } from "../contract/shell.ts";
import { writeWhole } from "../engine/writeWhole.ts";
import { webAddress } from "./addresses.ts";
import { type MainTexts, mainTexts } from "./text.ts";

type Purpose = ShellRequestOf<"chooseFiles">["purpose"];

const documentExtensions = ["pdf", "docx", "epub", "html", "htm", "xhtml", "txt", "text", "md", "markdown"];

function openOptions(purpose: Purpose, texts: MainTexts): OpenDialogOptions {
  const all: FileFilter = { name: texts.allFiles, extensions: ["*"] };
  return purpose === "documents"
    ? {
        title: texts.chooseDocuments,
        properties: ["openFile", "multiSelections"],
        filters: [{ name: texts.documents, extensions: documentExtensions }, all],
      }
    : { title: texts.chooseModel, properties: ["openFile"], filters: [{ name: texts.models, extensions: ["gguf"] }, all] };
}

function saveFilter(format: ExportFormat, texts: MainTexts): FileFilter {
  const filters = {
    markdown: { name: "Markdown", extensions: ["md"] },
    json: { name: "JSON", extensions: ["json"] },
    html: { name: texts.webPage, extensions: ["html"] },
  } satisfies Record<ExportFormat, FileFilter>;
  return filters[format];
}

/**
 * Asks where to save a text and writes it there, whole or not at all. The place is the person's choice alone: the window cannot name it.
 * @throws LongsightError `storage`
 */
export async function saveText(
  window: BrowserWindow,
  texts: MainTexts,
  { name, format, text }: ShellRequestOf<"saveText">,
): Promise<{ path: string | null }> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: texts.saveConversation,
    // Else it would be where the program was started.
    defaultPath: join(app.getPath("documents"), basename(name)),
    filters: [saveFilter(format, texts)],
    properties: ["createDirectory", "showOverwriteConfirmation"],
  });
  if (canceled || !filePath) return { path: null };
  await writeWhole(filePath, [text]);
  return { path: filePath };
}

/** The system's dialog for files; empty when dismissed. */
export async function chooseFiles(window: BrowserWindow, texts: MainTexts, purpose: Purpose): Promise<string[]> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, openOptions(purpose, texts));
  return canceled ? [] : filePaths;
}

/**
 * Opens a folder in the system's file manager.
 * @throws LongsightError `storage`
 */
export async function openFolder(path: string): Promise<Record<string, never>> {
  const reason = await shell.openPath(path);
  if (reason !== "") throw new LongsightError("storage", say("folderNotOpened", { path }), reason);
  return {};
}

/**
 * Shows a link's address and opens it in the system's browser if the person agrees.
 * @throws LongsightError `not-supported` for anything but an https address
 */
export async function openLink(window: BrowserWindow, texts: MainTexts, address: string): Promise<{ opened: boolean }> {
  const parsed = webAddress(address);
  if (parsed === null) throw new LongsightError("not-supported", say("linkNotOpened"));
  const { response } = await dialog.showMessageBox(window, {
    type: "question",
    message: texts.openAddress,
    detail: `${parsed}\n\n${texts.staysOffline}`,
    buttons: [texts.open, texts.cancel],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response !== 0) return { opened: false };
  await shell.openExternal(parsed);
  return { opened: true };
}

/** Shows what a download is and where it comes from; true where the person agrees. */
export async function askToDownload(window: BrowserWindow, language: Language, model: CatalogueModel): Promise<boolean> {
  const { name, bytes, licence, address, servers } = model;
  const texts = mainTexts[language];
  const question = say("downloadAsked", { model: name, megabytes: Math.round(bytes / 1e6), licence });
  const { response } = await dialog.showMessageBox(window, {
    type: "question",
    message: wordsIn(language, question),
    detail: `${address}\n\n${wordsIn(language, say("downloadConnects", { servers }))}`,
    buttons: [texts.download, texts.cancel],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

/** Asks whether to quit although the engine is at work. */
export async function askToQuit(window: BrowserWindow | null, texts: MainTexts): Promise<boolean> {
  const options: MessageBoxOptions = {
    type: "question",
    message: texts.quitWhileWorking,
    detail: texts.workIsKept,
    buttons: [texts.quit, texts.keepWorking],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  };
  const { response } = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
  return response === 0;
}

/** Tells something that the person should know once; resolves when they have closed it. */
export async function showNotice(window: BrowserWindow | null, texts: MainTexts, message: string): Promise<void> {
  const options: MessageBoxOptions = { type: "warning", message, buttons: [texts.ok], noLink: true };
  await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
}
