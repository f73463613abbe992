import { useTranslation } from "react-i18next";
import { runningAnswer } from "../answer/answerStore.ts";
import { Button } from "../parts/Button.tsx";
import { formatBytes, formatCount } from "../text/format.ts";
import { useAnswers, useConversations, useModel, useSession } from "./SessionContext.tsx";

/** The row of the cache: how large it is now. The budget joins it here. */
export function StatusRow() {
  const { t } = useTranslation();
  const session = useSession();
  const model = useModel((state) => state.current);
  const elsewhere = useAnswers(runningAnswer);
  const currentId = useConversations((state) => state.current?.id ?? null);
  const list = useConversations((state) => state.list);
  const other = elsewhere === null || elsewhere.conversationId === currentId ? null : elsewhere;
  const title = other === null ? "" : (list.find((conversation) => conversation.id === other.conversationId)?.title ?? "");
  return (
    <footer className="status-row">
      <span className="status-name" title={t("status.cacheMeaning")}>
        {t("status.cache")}
      </span>
      <span>
        {model === null
          ? t("status.noCache")
          : t("status.full", { size: formatBytes(model.cacheBytes), length: formatCount(model.contextLength), type: model.kvType })}
      </span>
      {model?.notices.map((notice) => (
        <span key={notice} className="status-notice truncate" title={notice}>
          {notice}
        </span>
      ))}
      {other === null ? null : (
        <span className="status-other">
          <span className="truncate">{t("status.elsewhere", { title: title === "" ? t("conversations.untitled") : title })}</span>
          <Button kind="quiet" className="button-small" onClick={() => session.answer.stop(other.conversationId)}>
            {t("composer.stop")}
          </Button>
        </span>
      )}
    </footer>
  );
}
