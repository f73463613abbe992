import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Group, type Layout, type LayoutChangedMeta, Panel, Separator } from "react-resizable-panels";
import { CompareDialog } from "../compare/CompareDialog.tsx";
import { ExportDialog } from "../conversations/ExportDialog.tsx";
import { UndoDeletion } from "../conversations/UndoDeletion.tsx";
import { FileDrop } from "../documents/FileDrop.tsx";
import { LibraryPane } from "../documents/LibraryPane.tsx";
import { SidePane } from "../inspector/SidePane.tsx";
import { AboutDialog } from "../model/AboutDialog.tsx";
import { ModelDialog } from "../model/ModelDialog.tsx";
import { PagesPane } from "../pages/PagesPane.tsx";
import { FocusHint } from "../parts/FocusHint.tsx";
import { FitDialog } from "../prompt/FitDialog.tsx";
import { Tour } from "../tour/Tour.tsx";
import { EngineBanner } from "./EngineBanner.tsx";
import { useKeptFocus } from "./keepFocus.ts";
import { useDocuments, useSession, useShell } from "./SessionContext.tsx";
import { SettingsDialog } from "./SettingsDialog.tsx";
import { ShortcutsDialog } from "./ShortcutsDialog.tsx";
import { StatusRow } from "./StatusRow.tsx";
import { TopBar } from "./TopBar.tsx";
import { useAppearance } from "./useAppearance.ts";
import { useWindowEvents } from "./useWindowEvents.ts";

/** Below this many pixels the library lies over the pages instead of beside them. */
const narrow = 1100;

const narrowQuery = window.matchMedia(`(max-width: ${narrow - 1}px)`);

function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      narrowQuery.addEventListener("change", changed);
      return () => narrowQuery.removeEventListener("change", changed);
    },
    () => narrowQuery.matches,
  );
}

/** The whole window. */
export function App() {
  const session = useSession();
  const settings = useShell((state) => state.settings);
  const shown = useShell((state) => state.libraryShown);
  const name = useDocuments((state) => (state.shownId === null ? undefined : state.open[state.shownId]?.name));
  const isNarrow = useNarrow();
  const drawer = useShell((state) => state.drawerShown);
  useWindowEvents(session);
  useAppearance(settings);
  useKeptFocus();
  useEffect(() => {
    document.title = name === undefined ? "Longsight" : `${name} – Longsight`;
  }, [name]);
  const setDrawer = useCallback((drawerShown: boolean) => session.stores.shell.setState({ drawerShown }), [session]);
  useEffect(() => {
    if (!isNarrow && drawer) setDrawer(false);
  }, [isNarrow, drawer, setDrawer]);

  const libraryOpen = isNarrow ? drawer : shown;
  const toggle = (): void => {
    if (isNarrow) setDrawer(!drawer);
    else session.stores.shell.setState({ libraryShown: !shown });
  };
  return (
    <div className="window" data-testid="drop-area">
      <TopBar libraryOpen={libraryOpen} onLibrary={toggle} />
      <EngineBanner />
      <main className="desk">
        <Panes library={!isNarrow && shown} />
        {isNarrow && drawer ? <Drawer onClose={() => setDrawer(false)} /> : null}
      </main>
      <UndoDeletion />
      <StatusRow />
      <FileDrop />
      <Dialogs />
      <Tour />
      <FocusHint />
    </div>
  );
}

/** The library over the pages; a choice in it, Escape or a click beside it folds it away. */
function Drawer({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const session = useSession();
  useEffect(() => {
    const { conversations, documents } = session.stores;
    const ends = [
      conversations.subscribe((state, before) => (state.current?.id === before.current?.id ? undefined : onClose())),
      documents.subscribe((state, before) => (state.shownId === before.shownId ? undefined : onClose())),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [session, onClose]);
  const drawer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    drawer.current?.querySelector<HTMLElement>('[data-pane="library"]')?.focus();
    // Escape leaves from anywhere inside.
    const leave = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      onClose();
    };
    const element = drawer.current;
    element?.addEventListener("keydown", leave);
    return () => element?.removeEventListener("keydown", leave);
  }, [onClose]);
  return (
    <div className="drawer" ref={drawer}>
      <LibraryPane />
      <button type="button" className="drawer-veil" aria-label={t("panes.hideLibrary")} onClick={onClose} />
    </div>
  );
}

function Panes({ library }: { readonly library: boolean }) {
  const { t } = useTranslation();
  const session = useSession();
  const loaded = useShell((state) => state.settings.panes);
  const save = (layout: Layout, meta: LayoutChangedMeta): void => {
    if (!meta.isUserInteraction) return;
    const pages = layout["pages"] ?? loaded[1];
    const conversation = layout["conversation"] ?? loaded[2];
    void session.changeSettings({ panes: [layout["library"] ?? loaded[0], pages, conversation] });
  };
  const [libraryWidth, pagesWidth, conversationWidth] = loaded;
  const rest = pagesWidth + conversationWidth;
  const whole = library ? libraryWidth + rest : rest;
  const part = (width: number): string => `${(100 * width) / whole}%`;
  // A new layout starts from the saved widths, which come from main after the first paint.
  const key = library ? "with-library" : "without-library";
  return (
    <Group key={key} className="panes" orientation="horizontal" onLayoutChanged={save}>
      {library ? (
        <>
          <Panel id="library" defaultSize={part(libraryWidth)} minSize={180} maxSize="40%">
            <LibraryPane />
          </Panel>
          <Separator className="divider" aria-label={t("panes.resizeLibrary")} />
        </>
      ) : null}
      <Panel id="pages" defaultSize={part(pagesWidth)} minSize={320}>
        <PagesPane />
      </Panel>
      <Separator className="divider" aria-label={t("panes.resizeConversation")} />
      <Panel id="conversation" defaultSize={part(conversationWidth)} minSize={300}>
        <SidePane />
      </Panel>
    </Group>
  );
}

function Dialogs() {
  const dialog = useShell((state) => state.dialog);
  switch (dialog) {
    case "settings":
      return <SettingsDialog />;
    case "model":
      return <ModelDialog />;
    case "about":
      return <AboutDialog />;
    case "shortcuts":
      return <ShortcutsDialog />;
    case "compare":
      return <CompareDialog />;
    case "export":
      return <ExportDialog />;
    case "fit":
      return <FitDialog />;
    case null:
      return null;
  }
}
