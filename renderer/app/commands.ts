import { assertNever } from "../../electron/contract/parse.ts";
import type { MenuCommand } from "../../electron/contract/shell.ts";
import { withZoomStep } from "../pages/viewStore.ts";
import { fixedZoom } from "../pages/zoom.ts";
import { focusNextPane, isShown } from "./panes.ts";
import { selectAll } from "./selectAll.ts";
import type { Session } from "./session.ts";

/** Focuses what may have to be drawn first; what is there gets the very next key. */
function focusSoon(selector: string): void {
  const present = document.querySelector<HTMLElement>(selector);
  if (present !== null && isShown(present)) present.focus();
  else setTimeout(() => document.querySelector<HTMLElement>(selector)?.focus(), 50);
}

/** Carries out a command of the menu or of a key. */
export function runCommand(session: Session, command: MenuCommand): void {
  const { view } = session.stores;
  switch (command) {
    case "open-documents":
      void session.conversations.chooseFiles();
      return;
    case "new-conversation":
      void session.conversations.createNew().then(() => focusSoon('[data-pane-focus="conversation"]'));
      return;
    case "find-in-document":
      session.find.open();
      // Open already, it only gets the focus.
      focusSoon('[data-search="document"]');
      return;
    case "search-conversations":
      session.stores.shell.setState({ libraryShown: true, drawerShown: true });
      focusSoon('[data-search="conversations"]');
      return;
    case "export-conversation":
      if ((session.stores.conversations.getState().current?.turns.length ?? 0) > 0) session.showDialog("export");
      return;
    case "undo-delete":
      void session.conversations.undoRemove();
      return;
    case "stop-answer":
      session.stop();
      return;
    case "go-to-page":
      document.querySelector<HTMLElement>(".page-field input")?.focus();
      return;
    case "select-all":
      selectAll(document);
      return;
    case "zoom-in":
      view.setState((state) => withZoomStep(state, 1));
      return;
    case "zoom-out":
      view.setState((state) => withZoomStep(state, -1));
      return;
    case "zoom-reset":
      view.setState({ zoom: fixedZoom(1) });
      return;
    case "text-larger":
      session.stepTextSize(1);
      return;
    case "text-smaller":
      session.stepTextSize(-1);
      return;
    case "models":
      if (session.stores.shell.getState().engine.state === "ready") session.showDialog("model");
      return;
    case "settings":
      session.showDialog("settings");
      return;
    case "about-engine":
      session.showDialog("about");
      return;
    case "next-pane":
      focusNextPane(document, 1);
      return;
    case "previous-pane":
      focusNextPane(document, -1);
      return;
    case "shortcuts":
      session.showDialog("shortcuts");
      return;
    case "tour":
      session.showTour(0);
      return;
    default:
      assertNever(command);
  }
}
