import { join } from "node:path";
import { BrowserWindow, nativeTheme, screen } from "electron";
import { appOrigin } from "../contract/channels.ts";
import type { Settings } from "../contract/shell.ts";
import { isAppAddress } from "./addresses.ts";
import { smallest, windowPlace } from "./windowPlace.ts";

export type WindowOptions = {
  readonly appFolder: string;
  /** Path of its picture in the task bar; null for the system's own. */
  readonly icon: string | null;
  readonly left: Settings["window"];
  readonly developer: boolean;
  readonly onPlace: (place: NonNullable<Settings["window"]>) => void;
  readonly onLog: (line: string) => void;
};

/** Milliseconds of rest after which a move or a new size is written down. */
const settleMs = 500;
/** Reloads of a page that keeps crashing, within a minute, before it is left alone. */
const mostReloads = 3;

/** Where the window is, for the next start; its size before it was maximised. */
export function placeOf(window: BrowserWindow): NonNullable<Settings["window"]> {
  return { ...window.getNormalBounds(), maximised: window.isMaximized() };
}

/** Shows the page again after its process died; gives up on one that dies at once, again and again. */
function reloadAfterCrash(window: BrowserWindow, onLog: (line: string) => void): void {
  let reloads: number[] = [];
  window.webContents.on("render-process-gone", (_event, { reason, exitCode }) => {
    onLog(`window ${reason} (exit code ${exitCode})`);
    if (reason === "clean-exit" || window.isDestroyed()) return;
    const now = Date.now();
    reloads = [...reloads.filter((time) => now - time < 60_000), now];
    if (reloads.length > mostReloads) {
      onLog("window left alone after several crashes");
      return;
    }
    // Inside this event Chromium still tidies up and a reload comes to nothing.
    setTimeout(() => {
      if (!window.isDestroyed()) window.webContents.reload();
    }, 100);
  });
}

/** Opens the window and loads its page; it is shown when there is something to see. */
export function openWindow({ appFolder, icon, left, developer, onPlace, onLog }: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    ...windowPlace(
      left,
      screen.getAllDisplays().map((display) => display.workArea),
    ),
    minWidth: smallest.width,
    minHeight: smallest.height,
    title: "Longsight",
    ...(icon === null ? {} : { icon }),
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? "#16181c" : "#ffffff",
    webPreferences: {
      preload: join(appFolder, "out", "preload", "preload.cjs"),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
      navigateOnDragDrop: false,
      devTools: developer,
    },
  });
  if (left?.maximised) window.maximize();
  window.once("ready-to-show", () => window.show());

  let timer: NodeJS.Timeout | undefined;
  const noteSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!window.isDestroyed()) onPlace(placeOf(window));
    }, settleMs);
  };
  window.on("resize", noteSoon);
  window.on("move", noteSoon);
  window.on("closed", () => clearTimeout(timer));
  reloadAfterCrash(window, onLog);
  const load = () =>
    void window.loadURL(`${appOrigin}/index.html`).catch((error: unknown) => onLog(`window could not load: ${String(error)}`));
  // The navigation guard never sees an empty page coming.
  window.webContents.on("did-navigate", (_event, address) => {
    if (!isAppAddress(address)) load();
  });
  load();
  return window;
}
