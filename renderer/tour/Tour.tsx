import { Popover } from "radix-ui";
import { useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { isTextField } from "../app/keyboard.ts";
import { useSession, useShell } from "../app/SessionContext.tsx";
import { Button } from "../parts/Button.tsx";
import { keepLaterFocus } from "../parts/laterFocus.ts";
import { formatCount } from "../text/format.ts";
import { hints, type TourHint } from "./hints.ts";

/** Short hints beside what they are about, one after the other. The window works on behind them; Escape skips them all. */
export function Tour() {
  const step = useShell((state) => (state.dialog === null ? state.tour : null));
  const hint = step === null ? undefined : hints[step];
  return step === null || hint === undefined ? null : <Hint step={step} hint={hint} />;
}

function Hint({ step, hint }: { readonly step: number; readonly hint: TourHint }) {
  const { t } = useTranslation();
  const session = useSession();
  // Looked up whenever it is measured: what a hint is about may come, move and go while it is shown.
  const anchor = useMemo(() => ({ current: { getBoundingClientRect: () => anchorOf(hint).getBoundingClientRect() } }), [hint]);
  const [before] = useState(() => document.activeElement);
  const [titleId, wordsId] = [useId(), useId()];
  const last = step === hints.length - 1;
  const end = (): void => session.showTour(null);
  return (
    <Popover.Root open>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          className="popover tour-hint"
          data-testid="tour"
          side={hint.side}
          sideOffset={8}
          collisionPadding={12}
          updatePositionStrategy="always"
          tabIndex={-1}
          aria-labelledby={titleId}
          aria-describedby={wordsId}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            // Who is typing goes on typing.
            if (!isTextField(document.activeElement) && event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          onCloseAutoFocus={(event) => {
            if (!keepLaterFocus(event)) return;
            event.preventDefault();
            if (before instanceof HTMLElement && before.isConnected) before.focus();
          }}
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={end}
        >
          <div aria-live="polite">
            <h2 id={titleId} className="tour-title">
              {t(`tour.hints.${hint.name}.title`)}
            </h2>
            <p id={wordsId}>{t(`tour.hints.${hint.name}.words`)}</p>
          </div>
          <div className="tour-row">
            <span className="tour-place">{t("tour.place", { place: formatCount(step + 1), count: hints.length })}</span>
            {last ? null : (
              <Button kind="quiet" className="button-small" onClick={end}>
                {t("tour.skip")}
              </Button>
            )}
            {step === 0 ? null : (
              <Button className="button-small" onClick={() => session.showTour(step - 1)}>
                {t("tour.back")}
              </Button>
            )}
            <Button kind="primary" className="button-small" onClick={() => (last ? end() : session.showTour(step + 1))}>
              {last ? t("tour.done") : t("tour.next")}
            </Button>
          </div>
          <Popover.Arrow className="tour-arrow" />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** What a hint is about, where it is to be seen; else the name of the app, which always is. */
function anchorOf({ name }: TourHint): Element {
  const element = document.querySelector(`[data-tour="${name}"]`);
  const seen = element !== null && element.getClientRects().length > 0;
  return seen ? element : (document.querySelector(".product") ?? document.body);
}
