import type { App, IpcMainEvent, IpcMainInvokeEvent, Session, WebContents } from "electron";
import { isAppAddress, isLocalAddress } from "./addresses.ts";

/** Whether a message comes from a window of ours, from its main frame, while that shows our own files. */
export function isTrustedSender(event: IpcMainEvent | IpcMainInvokeEvent, windows: ReadonlySet<WebContents>): boolean {
  const frame = event.senderFrame;
  return windows.has(event.sender) && frame !== null && frame.parent === null && isAppAddress(frame.url);
}

/** The only permission that a page needs: writing an answer to the clipboard when its Copy is pressed. */
const allowedPermissions: ReadonlySet<string> = new Set(["clipboard-sanitized-write"]);

/**
 * Closes a session: no permissions, no downloads, no network.
 * @param alsoAllowed one more test for addresses (the development server)
 */
export function guardSession(session: Session, onBlocked: (what: string) => void, alsoAllowed: (address: string) => boolean): void {
  session.setPermissionCheckHandler((_contents, permission, origin) => allowedPermissions.has(permission) && isAppAddress(`${origin}`));
  session.setPermissionRequestHandler((contents, permission, answer) => {
    const allowed = allowedPermissions.has(permission) && isAppAddress(contents.getURL());
    if (!allowed) onBlocked(`permission ${permission}`);
    answer(allowed);
  });
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.on("will-download", (event) => {
    onBlocked("download");
    event.preventDefault();
  });
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const allowed = isLocalAddress(url) || alsoAllowed(url);
    // The scheme alone: addresses may carry text of a document.
    if (!allowed) onBlocked(`request by ${url.slice(0, url.indexOf(":"))}`);
    answer({ cancel: !allowed });
  });
}

/** Keeps every page where it is: no foreign addresses, no new windows, no embedded pages. */
export function guardNavigation(app: App, onBlocked: (what: string) => void): void {
  app.on("web-contents-created", (_created, contents) => {
    // Up to Electron 24 the address is an argument of its own, later a field of the event; both are there in between.
    const stay = (event: { readonly url?: string; preventDefault: () => void }, address?: string) => {
      if (isAppAddress(event.url ?? address ?? "")) return;
      onBlocked("navigation");
      event.preventDefault();
    };
    contents.on("will-navigate", stay);
    contents.on("will-redirect", stay);
    contents.on("will-attach-webview", (event) => {
      onBlocked("webview");
      event.preventDefault();
    });
    contents.setWindowOpenHandler(() => {
      onBlocked("new window");
      return { action: "deny" };
    });
    contents.setWebRTCIPHandlingPolicy("disable_non_proxied_udp");
  });
}

/**
 * Switches off what Chromium would send by itself. Must be called before the app is ready.
 * @param reachable hosts that may still be resolved (the development server's)
 */
export function silenceChromium(app: App, reachable: readonly string[]): void {
  const { commandLine } = app;
  for (const name of [
    "disable-background-networking",
    "disable-component-update",
    "disable-domain-reliability",
    "disable-sync",
    "no-pings",
  ]) {
    commandLine.appendSwitch(name);
  }
  // No host has an address: whatever slips past the request filter cannot connect.
  commandLine.appendSwitch("host-resolver-rules", ["MAP * ~NOTFOUND", ...reachable.map((host) => `EXCLUDE ${host}`)].join(", "));
}
