import { FileUp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useDocuments, useSession } from "../app/SessionContext.tsx";
import { Button } from "../parts/Button.tsx";
import { Suggestions } from "./Suggestions.tsx";

/** Nothing is open: where to drop, what can be opened, what was open before. */
export function EmptyDesk() {
  const { t } = useTranslation();
  const session = useSession();
  const library = useDocuments((state) => state.library);
  const recent = library.slice(0, 3);
  return (
    <div className="empty-desk">
      <div className="empty-drop" data-tour="document">
        <FileUp aria-hidden="true" size={28} strokeWidth={1.5} />
        <h2>{t("empty.title")}</h2>
        <p>{t("empty.kinds")}</p>
        <div className="empty-buttons">
          <Button kind="primary" onClick={() => void session.conversations.chooseFiles()}>
            {t("empty.open")}
          </Button>
          <Button onClick={() => void session.conversations.openSample()}>{t("empty.sample")}</Button>
        </div>
        <p className="empty-promise">{t("empty.promise")}</p>
      </div>
      {recent.length === 0 ? <Suggestions title={t("suggestions.empty")} onAsk={(question) => void session.askSample(question)} /> : null}
      {recent.length === 0 ? null : (
        <section aria-label={t("empty.recent")}>
          <h3>{t("empty.recent")}</h3>
          <ul className="plain-list">
            {recent.map((entry) => (
              <li key={entry.id}>
                <Button kind="quiet" title={entry.path} onClick={() => void session.conversations.openFromLibrary(entry.id)}>
                  <span className="truncate">{entry.name}</span>
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
