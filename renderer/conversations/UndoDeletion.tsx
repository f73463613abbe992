import { Undo2, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useConversations, useSession } from "../app/SessionContext.tsx";
import { Button, IconButton } from "../parts/Button.tsx";

/** Milliseconds that the way back is shown; it is there for longer by its key and in the menu. */
const shownFor = 20_000;
/** Milliseconds between two looks whether it is in use. */
const lookEvery = 1000;

/** Says what was deleted last, with the way back. */
export function UndoDeletion() {
  const { t } = useTranslation();
  const session = useSession();
  const deleted = useConversations((state) => state.deleted.at(-1) ?? null);
  const [hidden, setHidden] = useState<string | null>(null);
  const id = deleted?.id ?? null;
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (id === null) return;
    const hide = (): void => {
      // Who has the pointer or the focus in it is about to use it.
      if (bar.current?.matches(":hover, :focus-within") ?? false) timer = setTimeout(hide, lookEvery);
      else setHidden(id);
    };
    let timer = setTimeout(hide, shownFor);
    return () => clearTimeout(timer);
  }, [id]);
  const shown = deleted !== null && hidden !== deleted.id;
  return (
    <div role="status">
      {shown ? (
        <div className="undo-bar" data-testid="undo-deletion" ref={bar}>
          <span className="truncate" title={t("conversations.deletedMeaning")}>
            {t("conversations.deleted", { title: deleted.title === "" ? t("conversations.untitled") : deleted.title })}
          </span>
          <Button kind="quiet" className="button-small" onClick={() => void session.conversations.undoRemove()}>
            <Undo2 aria-hidden="true" size={14} />
            {t("conversations.undo")}
          </Button>
          <IconButton label={t("common.dismiss")} onClick={() => setHidden(deleted.id)}>
            <X aria-hidden="true" size={14} />
          </IconButton>
        </div>
      ) : null}
    </div>
  );
}
