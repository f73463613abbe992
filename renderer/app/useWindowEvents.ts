import { useEffect, useLayoutEffect } from "react";
import { onShellEvent } from "../shell/bridge.ts";
import { runCommand } from "./commands.ts";
import { commandOf, isTextField, menuCommandWorks } from "./keyboard.ts";
import { selectsAll, selectTextAround } from "./selectAll.ts";
import type { Session } from "./session.ts";

/** What covers the window, and what has keys of its own: a popover and a menu as well. */
const modal = ".dialog";
const ownKeys = '[role="dialog"]:not(.tour-hint), [role="alertdialog"], [role="menu"]';
const isShown = (selector: string): boolean => document.querySelector(selector) !== null;

/** Keys, the menu, the engine's state and files from outside, as long as the window is there. */
export function useWindowEvents(session: Session): void {
  // Before the first picture: who sees the window can type into it and drop on it.
  useLayoutEffect(() => {
    const bridge = window.longsight;
    const end = onShellEvent(bridge, (event) => {
      if (event.event === "engine") session.engineChanged(event.engine);
      else if (event.event === "files-to-open") void session.openWaitingFiles();
      else if (menuCommandWorks(event.command, isShown(modal))) runCommand(session, event.command);
    });
    const pressed = (event: KeyboardEvent): void => {
      // A menu or a field that used the key has said so; Escape there closes or leaves, and stops nothing.
      if (event.defaultPrevented || event.isComposing) return;
      const dialogIsOpen = isShown(ownKeys);
      const typing = isTextField(document.activeElement);
      if (selectsAll(event) && !typing && !dialogIsOpen) {
        event.preventDefault();
        selectTextAround(document);
        return;
      }
      const command = commandOf(event, bridge.platform, typing, dialogIsOpen);
      if (command === null) return;
      event.preventDefault();
      runCommand(session, command);
    };
    window.addEventListener("keydown", pressed);
    window.addEventListener("blur", session.flushDrafts);
    window.addEventListener("pagehide", session.flushDrafts);
    return () => {
      end();
      window.removeEventListener("keydown", pressed);
      window.removeEventListener("blur", session.flushDrafts);
      window.removeEventListener("pagehide", session.flushDrafts);
    };
  }, [session]);
  useEffect(() => {
    void session.start();
  }, [session]);
}
