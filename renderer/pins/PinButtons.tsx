import { Pin } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useConversations, usePins, useSession } from "../app/SessionContext.tsx";
import type { Session } from "../app/session.ts";
import { Button, IconButton } from "../parts/Button.tsx";

/** Pins what is selected; the focus goes to the pages, since the button goes away. */
function pinNow(session: Session): void {
  void session.pins.pinSelected();
  window.getSelection()?.removeAllRanges();
  document.querySelector<HTMLElement>('[data-pane-focus="pages"]')?.focus({ preventScroll: true });
}

/** Whether there is something to pin, and a conversation to pin it in. */
function useCanPin(): boolean {
  const selects = usePins((state) => state.selected.length > 0);
  const converses = useConversations((state) => state.current !== null);
  return selects && converses;
}

/** In the pages' toolbar, for the keyboard. It has its place while nothing is selected too: the pages must not move when something is. */
export function PinCommand() {
  const { t } = useTranslation();
  const session = useSession();
  return (
    <IconButton
      label={t("pins.keep")}
      title={t("pins.meaning")}
      disabled={!useCanPin()}
      // A press must not take the selection away.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => pinNow(session)}
    >
      <Pin aria-hidden="true" size={16} />
    </IconButton>
  );
}

/** Beside the selection, for the pointer: the toolbar's button is the same one for everybody else. */
export function PinBubble() {
  const { t } = useTranslation();
  const session = useSession();
  const at = usePins((state) => state.selectedAt);
  if (!useCanPin() || at === null) return null;
  return (
    <Button
      className="button-small pin-bubble"
      style={at}
      title={t("pins.meaning")}
      tabIndex={-1}
      aria-label={t("pins.keepHere")}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => pinNow(session)}
    >
      <Pin aria-hidden="true" size={14} />
      {t("pins.keep")}
    </Button>
  );
}

/** Says what was done, for those who do not see it. */
export function PinAnnouncement() {
  const said = usePins((state) => state.said);
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  );
}
