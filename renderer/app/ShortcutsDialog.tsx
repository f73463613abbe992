import { useTranslation } from "react-i18next";
import { ModalDialog } from "../parts/ModalDialog.tsx";
import { useSession } from "./SessionContext.tsx";

/** Every key of the window. */
export function ShortcutsDialog() {
  const { t } = useTranslation();
  const session = useSession();
  const command = window.longsight.platform === "darwin" ? "⌘" : "Ctrl";
  const rows = [
    { keys: [command, "O"], words: t("shortcuts.open") },
    { keys: [command, "N"], words: t("shortcuts.new") },
    { keys: [command, "F"], words: t("shortcuts.find") },
    { keys: [command, "Shift", "F"], words: t("shortcuts.search") },
    { keys: [command, "E"], words: t("shortcuts.export") },
    { keys: ["F2"], words: t("shortcuts.rename") },
    { keys: ["Delete"], words: t("shortcuts.delete") },
    { keys: [command, "Z"], words: t("shortcuts.undoDelete") },
    { keys: ["Enter"], words: t("shortcuts.send") },
    { keys: ["Shift", "Enter"], words: t("shortcuts.line") },
    { keys: ["Esc"], words: t("shortcuts.stop") },
    { keys: [command, "G"], words: t("shortcuts.goToPage") },
    { keys: ["F6"], words: t("shortcuts.nextPane") },
    { keys: ["Shift", "F6"], words: t("shortcuts.previousPane") },
    { keys: [command, "+"], words: t("shortcuts.zoomIn") },
    { keys: [command, "−"], words: t("shortcuts.zoomOut") },
    { keys: [command, "0"], words: t("shortcuts.zoomReset") },
    { keys: [command, "L"], words: t("shortcuts.models") },
    { keys: [command, ","], words: t("shortcuts.settings") },
    { keys: ["?"], words: t("shortcuts.sheet") },
  ];
  return (
    <ModalDialog title={t("shortcuts.title")} onClose={() => session.showDialog(null)}>
      <dl className="facts shortcuts">
        {rows.map(({ keys, words }) => (
          <div key={words}>
            <dt>{words}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </ModalDialog>
  );
}
