import { PinOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ListedPin } from "../../electron/contract/pin.ts";
import { useDocuments, usePins, useSession } from "../app/SessionContext.tsx";
import { IconButton } from "../parts/Button.tsx";
import { firstWords } from "../text/firstWords.ts";
import { formatCount } from "../text/format.ts";
import { wordsOf } from "../text/words.ts";

/** The passages that no budget evicts, with the way to each and out of the list. */
export function PinsSection() {
  const { t } = useTranslation();
  const listed = usePins((state) => state.listed);
  return (
    <section className="inspector-section" aria-label={t("pins.name")} data-refuge tabIndex={-1}>
      <h3>{t("pins.name")}</h3>
      {listed.length === 0 ? <p className="inspector-note">{t("pins.none")}</p> : null}
      <ul className="plain-list pin-list" data-testid="pins">
        {listed.map((one) => (
          <PinnedPassage key={`${one.pin.documentId} ${one.pin.page} ${one.pin.start}`} listed={one} />
        ))}
      </ul>
    </section>
  );
}

function PinnedPassage({ listed: { pin, text, problem, said } }: { readonly listed: ListedPin }) {
  const { t } = useTranslation();
  const session = useSession();
  const several = useDocuments((state) => Object.keys(state.open).length > 1);
  const name = useDocuments((state) => state.open[pin.documentId]?.name);
  const { documentId, page, start, end } = pin;
  return (
    <li className="pinned">
      <button
        type="button"
        className="passage"
        disabled={name === undefined}
        onClick={() => session.goTo({ documentId, page, range: { start, end } })}
      >
        <span className="passage-page">
          {t("inspector.page", { page: formatCount(page) })}
          {several && name !== undefined ? ` · ${name}` : ""}
        </span>
        {text === null ? (
          <span className="pin-problem">{wordsOf({ message: problem ?? "", said })}</span>
        ) : (
          <span className="passage-text" dir="auto">
            {text}
          </span>
        )}
      </button>
      <IconButton
        label={t("pins.unpin", { page: formatCount(page), text: firstWords(text ?? "", 60) })}
        title={t("pins.unpinTitle")}
        onClick={() => void session.pins.unpin(pin)}
      >
        <PinOff aria-hidden="true" size={14} />
      </IconButton>
    </li>
  );
}
