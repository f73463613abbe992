import { contextBridge, ipcRenderer, webUtils } from "electron";
import { appOrigin, channels, engineCallMessage } from "../contract/channels.ts";
import type { LongsightBridge } from "../contract/shell.ts";
import { pathOfFile } from "./pathOfFile.ts";

const bridge: LongsightBridge = {
  platform: process.platform,
  shell: (method, payload) => ipcRenderer.invoke(channels.shell, { method, payload }),
  onShellEvent: (listener) => {
    // The page gets the data alone: Electron's event object would hand it the whole ipc.
    const relay = (_event: unknown, data: unknown) => listener(data);
    ipcRenderer.on(channels.shellEvent, relay);
    return () => {
      ipcRenderer.removeListener(channels.shellEvent, relay);
    };
  },
  pathOfFile: (file) => pathOfFile(file, webUtils),
};

contextBridge.exposeInMainWorld("longsight", bridge);

/** Passes an engine call of the page on to main, with the port that its answer comes back on. */
window.addEventListener("message", (event: MessageEvent<unknown>) => {
  if (event.source !== window || event.origin !== appOrigin) return;
  const data = event.data;
  if (typeof data !== "object" || data === null || !("type" in data) || data.type !== engineCallMessage || !("call" in data)) return;
  const [port, ...more] = event.ports;
  if (!port || more.length > 0) return;
  ipcRenderer.postMessage(channels.engineCall, data.call, [port]);
});
