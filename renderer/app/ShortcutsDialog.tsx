import { useTranslation } from "react-i18next";
import { ModalDialog } from "../parts/ModalDialog.tsx";
import { useSession } from "./SessionContext.tsx";

type Row = readonly [words: string, ...keys: string[]];

/** Every key of the window, by what it is for. */
export function ShortcutsDialog() {
  const { t } = useTranslation();
  const session = useSession();
  const command = window.longsight.platform === "darwin" ? "⌘" : t("shortcuts.keys.command");
  const [shift, enter] = [t("shortcuts.keys.shift"), t("shortcuts.keys.enter")];
  const groups: readonly { readonly name: string; readonly rows: readonly Row[] }[] = [
    {
      name: t("shortcuts.groups.documents"),
      rows: [
        [t("shortcuts.open"), command, "O"],
        [t("shortcuts.find"), command, "F"],
        [t("shortcuts.findNext"), enter],
        [t("shortcuts.findPrevious"), shift, enter],
        [t("shortcuts.goToPage"), command, "G"],
        [t("shortcuts.zoomIn"), command, "+"],
        [t("shortcuts.zoomOut"), command, "−"],
        [t("shortcuts.zoomReset"), command, "0"],
      ],
    },
    {
      name: t("shortcuts.groups.conversations"),
      rows: [
        [t("shortcuts.new"), command, "N"],
        [t("shortcuts.send"), enter],
        [t("shortcuts.line"), shift, enter],
        [t("shortcuts.stop"), t("shortcuts.keys.escape")],
        [t("shortcuts.versions"), enter],
        [t("shortcuts.export"), command, "E"],
        [t("shortcuts.search"), command, shift, "F"],
        [t("shortcuts.rename"), "F2"],
        [t("shortcuts.delete"), t("shortcuts.keys.delete")],
        [t("shortcuts.undoDelete"), command, "Z"],
      ],
    },
    {
      name: t("shortcuts.groups.heat"),
      rows: [
        [t("shortcuts.budget"), "←", "→"],
        [t("shortcuts.budgetEnds"), t("shortcuts.keys.home"), t("shortcuts.keys.end")],
        [t("shortcuts.heatWords"), "←", "→"],
        [t("shortcuts.heatSelect"), shift, "←", "→"],
        [t("shortcuts.heatCells"), "←", "→", "↑", "↓"],
        [t("shortcuts.heatCell"), enter],
      ],
    },
    {
      name: t("shortcuts.groups.window"),
      rows: [
        [t("shortcuts.textLarger"), command, shift, "."],
        [t("shortcuts.textSmaller"), command, shift, ","],
        [t("shortcuts.nextPane"), "F6"],
        [t("shortcuts.previousPane"), shift, "F6"],
        [t("shortcuts.rows"), "↑", "↓"],
        [t("shortcuts.models"), command, "L"],
        [t("shortcuts.settings"), command, ","],
        [t("shortcuts.sheet"), "?"],
      ],
    },
  ];
  return (
    <ModalDialog title={t("shortcuts.title")} onClose={() => session.showDialog(null)} wide>
      <div className="shortcut-groups" data-testid="shortcuts">
        {groups.map(({ name, rows }) => (
          <section key={name}>
            <h3 className="shortcuts-group">{name}</h3>
            <dl className="facts shortcuts">
              {rows.map(([words, ...keys]) => (
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
          </section>
        ))}
      </div>
    </ModalDialog>
  );
}
