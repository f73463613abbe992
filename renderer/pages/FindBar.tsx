import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFind, useSession } from "../app/SessionContext.tsx";
import { IconButton } from "../parts/Button.tsx";
import { formatCount } from "../text/format.ts";

/** Looks for a text in the document in view; Enter goes on, Shift+Enter back, Escape ends it. */
export function FindBar() {
  const { t } = useTranslation();
  const session = useSession();
  const { open, text, found, index } = useFind((state) => state);
  if (!open) return null;
  const count = found?.hits.length ?? 0;
  const words =
    found === null
      ? ""
      : count === 0
        ? t("find.nothing")
        : t(found.more ? "find.placeOfMore" : "find.place", {
            place: formatCount(index + 1),
            places: formatCount(count),
            page: formatCount(found.hits[index]?.page ?? 1),
          });
  const close = (): void => {
    session.find.close();
    document.querySelector<HTMLElement>('[data-pane-focus="pages"]')?.focus();
  };
  return (
    <search className="find-bar">
      <input
        autoFocus
        type="text"
        aria-label={t("find.field")}
        placeholder={t("find.field")}
        maxLength={200}
        value={text}
        data-search="document"
        onFocus={(event) => event.target.select()}
        onChange={(event) => session.find.type(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
          event.preventDefault();
          if (event.key === "Escape") close();
          else session.find.step(event.shiftKey ? -1 : 1);
        }}
      />
      <span className="find-words" role="status" data-testid="find-words">
        {words}
      </span>
      <IconButton label={t("find.previous")} disabled={count === 0} onClick={() => session.find.step(-1)}>
        <ChevronUp aria-hidden="true" size={16} />
      </IconButton>
      <IconButton label={t("find.next")} disabled={count === 0} onClick={() => session.find.step(1)}>
        <ChevronDown aria-hidden="true" size={16} />
      </IconButton>
      <IconButton label={t("find.close")} onClick={close}>
        <X aria-hidden="true" size={16} />
      </IconButton>
    </search>
  );
}
