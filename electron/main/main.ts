// The main process: puts the parts together. Anything with a decision in it lives in a file of its own.
import { join, resolve } from "node:path";
import {
  app,
  type BrowserWindow,
  ipcMain,
  Menu,
  type MessagePortMain,
  Notification,
  nativeTheme,
  protocol,
  session,
  type WebContents,
} from "electron";
import { z } from "zod";
import { channels } from "../contract/channels.ts";
import { engineCallSchema } from "../contract/engine.ts";
import { toProblem } from "../contract/errors.ts";
import { type Language, languageOf } from "../contract/language.ts";
import { wordsIn } from "../contract/messages/wordsIn.ts";
import { parseAt } from "../contract/parse.ts";
import { say } from "../contract/said.ts";
import type { Settings, ShellEvent } from "../contract/shell.ts";
import { openCatalogue } from "../engine/downloads/catalogue.ts";
import { cacheFolder } from "../engine/folders.ts";
import { serveFolder } from "./appFiles.ts";
import { declareAppScheme, serveAppScheme } from "./appScheme.ts";
import { type AssetPlaces, sampleDocument, windowIcon } from "./assets.ts";
import { devServerAddress, isDevSocket, serveDev } from "./devServer.ts";
import { askToDownload, askToQuit, chooseFiles, openFolder, openLink, saveText, showNotice } from "./dialogs.ts";
import { createDownloadGate, testCatalogueOf } from "./downloadGate.ts";
import { engineServiceName, forkEngine } from "./engineProcess.ts";
import { EngineSupervisor } from "./engineSupervisor.ts";
import { FilesToOpen, filesFromArguments } from "./filesToOpen.ts";
import { guardNavigation, guardSession, isTrustedSender, silenceChromium } from "./guards.ts";
import { menuTemplate } from "./menu.ts";
import { Notifier } from "./notifier.ts";
import { QuitGuard } from "./quit.ts";
import { RotatingLog } from "./rotatingLog.ts";
import { SettingsStore } from "./settings.ts";
import { answerShell, type ShellHandlers } from "./shell.ts";
import { type MainTexts, mainTexts } from "./text.ts";
import { openWindow, placeOf } from "./window.ts";

const secondStartSchema = z.object({ files: z.array(z.string()) });

const developer = !app.isPackaged;
/** Tests close the app while it works; a box that nobody answers would hold them up. */
const neverAsk = developer && process.env["LONGSIGHT_TEST"] === "1";
const devServer = devServerAddress(app, process.env);

const userData = app.commandLine.getSwitchValue("user-data-dir");
if (userData) app.setPath("userData", resolve(userData));
const dataFolder = app.getPath("userData");
const log = new RotatingLog(join(dataFolder, "logs", "main.log"));
const engineLog = new RotatingLog(join(dataFolder, "logs", "engine.log"));

silenceChromium(app, devServer ? [devServer.hostname] : []);
declareAppScheme();
guardNavigation(app, (what) => log.line(`blocked: ${what}`));

const trustedWindows = new Set<WebContents>();
let mainWindow: BrowserWindow | null = null;
let language: Language | null = null;
const texts = (): MainTexts => mainTexts[language ?? "en"];

function tellWindow(event: ShellEvent): void {
  const contents = mainWindow?.isDestroyed() === false ? mainWindow.webContents : null;
  // A page that is being loaded again asks for the state itself.
  if (contents && !contents.isCrashed()) contents.send(channels.shellEvent, event);
}

const filesToOpen = new FilesToOpen(() => tellWindow({ event: "files-to-open" }));
const ownFiles = filesFromArguments(process.argv, { folder: process.cwd(), hasAppFolder: Boolean(process.defaultApp) });

const testCatalogue = testCatalogueOf(process.env, neverAsk);
const refuseUnwanted = createDownloadGate(openCatalogue(testCatalogue).models, (model) =>
  askToDownload(dialogWindow(), language ?? "en", model),
);

const supervisor = new EngineSupervisor<MessagePortMain>({
  fork: () => forkEngine(app.getAppPath(), engineLog),
  start: {
    dataFolder,
    modelFolders: [process.env["LONGSIGHT_MODELS"] ?? join(cacheFolder(), "models"), join(process.resourcesPath, "models")],
    moduleFolders: [join(app.isPackaged ? process.resourcesPath : app.getAppPath(), "assets", "lookahead")],
    version: app.getVersion(),
    ...(testCatalogue === undefined ? {} : { testCatalogue }),
  },
  onState: (engine) => tellWindow({ event: "engine", engine }),
  onLog: (line) => log.line(line),
  onNotice: (message, said) => {
    if (!neverAsk) void showNotice(mainWindow, texts(), wordsIn(language ?? "en", { message, said }));
  },
  isWatched: () => mainWindow !== null,
});

/** Hands a call of the window's to the engine, or tells it why not. */
async function passOn(message: unknown, port: MessagePortMain): Promise<void> {
  try {
    const call = parseAt(say("requestDoor"), engineCallSchema, message);
    // At once where nothing is to be asked: calls arrive in the order in which they were made.
    if (call.method === "downloadModel") await refuseUnwanted(call);
    supervisor.call(call, port);
  } catch (error) {
    port.postMessage({ event: "error", problem: toProblem(error) });
    port.close();
  }
}

function listenToWindow(handlers: ShellHandlers): void {
  ipcMain.handle(channels.shell, (event, message: unknown) => {
    if (!isTrustedSender(event, trustedWindows)) throw new Error("This sender is not known.");
    return answerShell(handlers, message);
  });
  ipcMain.on(channels.engineCall, (event, message: unknown) => {
    const [port, ...more] = event.ports;
    if (!port || more.length > 0 || !isTrustedSender(event, trustedWindows)) {
      for (const unwanted of event.ports) unwanted.close();
      return;
    }
    void passOn(message, port);
  });
}

/** The window that a dialog belongs to. */
function dialogWindow(): BrowserWindow {
  if (!mainWindow) throw new Error("There is no window.");
  return mainWindow;
}

function assetPlaces(): AssetPlaces {
  return { appFolder: app.getAppPath(), resourcesFolder: process.resourcesPath, packaged: app.isPackaged };
}

/** Shows the system's part of the window, its menu and its frame, as the settings say. */
function applySettings(settings: Settings): void {
  nativeTheme.themeSource = settings.theme;
  const wanted = languageOf(settings.language, app.getLocale());
  if (wanted === language) return;
  language = wanted;
  const send = (command: Extract<ShellEvent, { event: "menu" }>["command"]) => tellWindow({ event: "menu", command });
  const template = menuTemplate({ platform: process.platform, appName: app.name, texts: texts(), developer, send });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

function shellHandlers(settings: SettingsStore, notifier: Notifier): ShellHandlers {
  return {
    chooseFiles: ({ purpose }) => chooseFiles(dialogWindow(), texts(), purpose),
    saveText: (request) => saveText(dialogWindow(), texts(), request),
    dataFolder: () => dataFolder,
    openDataFolder: () => openFolder(dataFolder),
    notify: (content) => notifier.notify(content),
    getSettings: () => settings.current,
    changeSettings: async (change) => {
      const changed = await settings.change(change);
      applySettings(changed);
      return changed;
    },
    getEngineState: () => supervisor.state,
    restartEngine: () => supervisor.restart(),
    sampleDocument: () => sampleDocument(assetPlaces()),
    takeFilesToOpen: () => filesToOpen.take(),
    openLink: ({ address }) => openLink(dialogWindow(), texts(), address),
  };
}

function showWindow(settings: SettingsStore, quitGuard: QuitGuard): void {
  if (mainWindow) {
    if (mainWindow.isMinimized()) mainWindow.restore();
    mainWindow.focus();
    return;
  }
  const window = openWindow({
    appFolder: app.getAppPath(),
    icon: windowIcon(assetPlaces()),
    left: settings.current.window,
    developer,
    onPlace: (place) => void settings.change({ window: place }).catch((error: unknown) => log.line(String(error))),
    onLog: (line) => log.line(line),
  });
  const { webContents } = window;
  mainWindow = window;
  trustedWindows.add(webContents);
  window.on("close", (event) => {
    if (process.platform !== "darwin") quitGuard.onWindowClose(event);
  });
  window.on("closed", () => {
    trustedWindows.delete(webContents);
    mainWindow = null;
  });
}

async function start(): Promise<void> {
  const [settings] = await Promise.all([SettingsStore.open(join(dataFolder, "settings.json")), app.whenReady()]);
  applySettings(settings.current);
  guardSession(
    session.defaultSession,
    (what) => log.line(`blocked: ${what}`),
    (address) => isDevSocket(devServer, address),
  );
  serveAppScheme(protocol, devServer ? serveDev(devServer) : serveFolder(join(app.getAppPath(), "out", "renderer")));
  const notifier = new Notifier({
    isInBackground: () => mainWindow?.isFocused() === false,
    make: (content) => (Notification.isSupported() ? new Notification(content) : null),
    onClick: () => showWindow(settings, quitGuard),
  });
  listenToWindow(shellHandlers(settings, notifier));

  const quitGuard = new QuitGuard({
    quit: () => app.quit(),
    isBusy: () => supervisor.busy && !neverAsk,
    ask: () => askToQuit(mainWindow, texts()),
    finish: async () => {
      const place = mainWindow && !mainWindow.isDestroyed() ? settings.change({ window: placeOf(mainWindow) }) : Promise.resolve();
      await Promise.allSettled([place, supervisor.quit()]);
      await Promise.all([settings.settled(), log.settled(), engineLog.settled()]);
    },
  });
  app.on("before-quit", (event) => quitGuard.onBeforeQuit(event));
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin") app.quit();
  });
  app.on("activate", () => showWindow(settings, quitGuard));
  app.on("second-instance", (_event, _arguments, _folder, data) => {
    const second = secondStartSchema.safeParse(data);
    if (second.success) filesToOpen.add(second.data.files);
    showWindow(settings, quitGuard);
  });
  app.on("child-process-gone", (_event, { name, serviceName, reason, exitCode }) => {
    if (name === engineServiceName || serviceName === engineServiceName) supervisor.noteGone({ reason, exitCode });
  });

  showWindow(settings, quitGuard);
  supervisor.start();
}

if (app.requestSingleInstanceLock({ files: ownFiles })) {
  filesToOpen.add(ownFiles);
  app.on("open-file", (event, path) => {
    event.preventDefault();
    filesToOpen.add([path]);
  });
  process.on("unhandledRejection", (reason) =>
    log.line(`unhandled: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`),
  );
  void start();
} else {
  app.quit();
}
